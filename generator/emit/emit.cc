#include "emit/emit.h"

#include <set>

#include "emit/ids.h"
#include "emit/kernels.h"
#include "emit/params.h"
#include "emit/parts.h"
#include "emit/stream.h"
#include "emit/stream_call.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

Diagnostics missing_weights(const Analysis& analysis) {
  std::set<std::string> files;
  for (const program::Weight& weight : analysis.program.weights) {
    if (!weight.missing.empty()) files.insert(weight.missing);
  }
  Diagnostics faults;
  for (const std::string& file : files) {
    faults.push_back({"E104",
                      {.file = analysis.options.model_path},
                      "the external data file '" + file + "' is missing",
                      "put it beside the model; `tarn analyze` works without it"});
  }
  return faults;
}

// An old header stands in the place of this until all other files are new.
constexpr const char* kMeanwhile =
    "#error \"tarn generate did not come to its end: the files of this folder do not belong together, run it again\"\n";

}  // namespace

std::string own_id(const Context& c, const std::string& macro) { return id_definition(macro, c.report.plan_id); }

std::string own_id_check(const Context& c, const std::string& macro, const std::string& ending) {
  return id_check(macro, c.report.plan_id, c.names.prefix + ending);
}

std::string plan_id(const Analysis& analysis, const report::Report& report, const EmitOptions& options) {
  report::Report without = report;
  without.plan_id = report::kNoPlanId;
  EmitOptions apart = options;
  apart.weights_apart = true;
  std::string all;
  const Result<std::vector<OutputFile>> files = emit(analysis, without, apart);
  for (const OutputFile& file : files ? *files : std::vector<OutputFile>()) {
    all += file.name;
    if (file.name.ends_with(".bin") || file.name.ends_with(".img")) continue;
    file.write([&](std::string_view piece) { all += id_of(piece); });
  }
  for (const program::Weight& weight : analysis.program.weights) {
    if (options.arena_only || !weight.missing.empty()) continue;
    weight.write([&](std::span<const uint8_t> bytes) {
      all += id_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
  }
  return id_of(all);
}

Result<std::vector<OutputFile>> emit(const Analysis& analysis, const report::Report& report,
                                     const EmitOptions& options) {
  const Context context{analysis, report, make_names(analysis.name, analysis.program), options};
  const CNames& names = context.names;
  std::vector<OutputFile> files;
  if (options.arena_only) {
    files.push_back(text_file(names.prefix + "_arena.h", arena_header(context)));
  } else {
    const Diagnostics missing = missing_weights(analysis);
    if (!missing.empty()) return missing;
    if (const std::string other = sized_obstacle(context); !other.empty())
      return Diagnostics{{"E206",
                          {.file = analysis.options.model_path},
                          cat("by lines, from size to size, ", other),
                          "one firmware streams every size whose lines have one shape: choose a smaller range, or "
                          "leave --stream away"}};
    check_params(analysis.program, kernel_texts(kernel_sources(analysis)));
    files.push_back(text_file(names.prefix + ".h", model_header(context)));
    files.push_back(text_file(names.prefix + ".c", model_source(context, options.single_file)));
    if (options.cpp) files.push_back(text_file(names.prefix + ".hpp", cpp_header(context)));
    for (OutputFile& file : weight_files(context)) files.push_back(std::move(file));
    if (!options.single_file) {
      files.push_back(text_file(names.prefix + "_arena.h", arena_header(context)));
      const std::set<std::string> kernels = kernel_sources(analysis);
      for (auto& [name, text] : kernel_files(kernels)) files.push_back(text_file(name, std::move(text)));
      // Without a single kernel the source still includes the common header.
      if (kernels.empty()) files.push_back(text_file("tarn.h", kernel_files({"tarn"}).at("tarn.h")));
    }
  }
  files.push_back(text_file(names.prefix + ".json", report::to_json(report)));
  files.front().meanwhile = kMeanwhile;
  return files;
}

}  // namespace tarn::emit
