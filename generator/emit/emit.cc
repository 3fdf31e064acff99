#include "emit/emit.h"

#include <set>

#include "emit/kernels.h"
#include "emit/parts.h"
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

}  // namespace

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
    files.push_back(text_file(names.prefix + ".h", model_header(context)));
    files.push_back(text_file(names.prefix + ".c", model_source(context, options.single_file)));
    for (OutputFile& file : weight_files(context)) files.push_back(std::move(file));
    if (!options.single_file) {
      files.push_back(text_file(names.prefix + "_arena.h", arena_header(context)));
      const std::set<std::string> kernels = kernel_sources(analysis);
      for (auto& [name, text] : kernel_files(kernels)) files.push_back(text_file(name, std::move(text)));
      // Without a single kernel the source still includes the common header.
      if (kernels.empty()) files.push_back(text_file("tarn.h", kernel_files({"tarn_copy"}).at("tarn.h")));
    }
  }
  files.push_back(text_file(names.prefix + ".json", report::to_json(report)));
  return files;
}

}  // namespace tarn::emit
