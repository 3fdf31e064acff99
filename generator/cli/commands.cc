#include "cli/commands.h"

#include <filesystem>

#include "cli/formulas.h"
#include "cli/model_limit.h"
#include "cli/prepare.h"
#include "cli/quantize_first.h"
#include "cli/terminal.h"
#include "cli/verification.h"
#include "emit/depfile.h"
#include "emit/selftest.h"
#include "emit/stale.h"
#include "emit/trace.h"
#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/dataset.h"

namespace tarn::cli {

namespace {

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

int fail(const Options& options, const Diagnostics& faults) {
  print(faults, options.json_diagnostics);
  return exit_code(faults);
}

// The folder of the output as the user named it, so that the depfile's targets are what the build system calls them.
std::vector<std::string> output_paths(const Options& options, const std::vector<emit::OutputFile>& files) {
  std::vector<std::string> paths;
  for (const emit::OutputFile& file : files)
    paths.push_back((std::filesystem::path(options.output) / file.name).string());
  return paths;
}

// The program that runs the model on the first stored data set. What it was made from is added to the dependencies.
Result<emit::OutputFile> selftest_file(const Options& options, Prepared& prepared) {
  const std::string& path = options.compile.model_path;
  Result<model::Model> model = model::load_onnx(path);
  if (!model) return model.faults();
  const Result<std::vector<std::string>> folders = options.data.empty() ? verify::data_folders(path) : options.data;
  if (!folders) return folders.faults();
  if (folders->empty())
    return Diagnostic{
        "E405", {.file = path}, "there is no test_data_set_N folder beside the model", "name one with --data DIR"};
  Result<verify::DataSet> data = verify::load_data(folders->front(), path);
  if (!data) return data.faults();
  for (const std::string& file : data->files) prepared.analysis.dependencies.push_back(file);
  const Result<emit::SelfTestData> stored =
      selftest_data(options, prepared.analysis, prepared.report, std::move(*data), std::move(*model));
  if (!stored) return stored.faults();
  return emit::text_file(prepared.report.name + "_selftest.c",
                         emit::selftest_source(prepared.analysis, prepared.report, *stored));
}

}  // namespace

std::vector<emit::OutputFile> report_files(const std::vector<std::string>& paths, const report::Report& report) {
  std::vector<emit::OutputFile> files;
  for (const std::string& path : paths) {
    if (const auto text = report::render(report, std::filesystem::path(path).extension().string())) {
      files.push_back(emit::text_file(absolute(path), *text));
    }
  }
  return files;
}

int run_analyze(const Options& asked) {
  Options options = asked;
  if (const Result<Done> codes = quantize_first(options); !codes) return fail(options, codes.faults());
  const ModelLimit limit(options);
  const Result<Prepared> prepared = prepare_over_sizes(options);
  if (!prepared) return fail(options, prepared.faults());
  const AtWork at(reporting(prepared->analysis));
  if (const Result<Done> told = print_report(prepared->report); !told) return fail(options, told.faults());
  // A report of a model that does not fit is what one looks at to make it fit, so it is written all the same.
  std::vector<emit::OutputFile> files = report_files(options.reports, prepared->report);
  if (!options.depfile.empty()) {
    files.push_back(
        emit::text_file(absolute(options.depfile), emit::depfile(options.reports, prepared->analysis.dependencies)));
  }
  const Result<Done> written = emit::write_files(".", files, {prepared->analysis.dependencies});
  if (!written) return fail(options, written.faults());
  return fail(options, prepared->over);
}

namespace {

// `cc *.c` is how many builds take a folder.
void warn_of_others(const Options& options, const std::vector<emit::OutputFile>& files) {
  const std::optional<std::string> within = emit::compiled_whole(options.layout);
  if (!within) return;
  const std::vector<std::string> others = emit::foreign_sources(options.output, *within, files);
  if (others.empty()) return;
  const std::vector<std::string> first(others.begin(), others.begin() + std::min<ptrdiff_t>(3, std::ssize(others)));
  print({{"W405",
          {.file = options.output},
          cat("the folder also holds ", join(first),
              others.size() > 3 ? cat(" and ", others.size() - 3, " more sources") : "",
              ", which tarn did not write: a build that takes all of its sources compiles them too"),
          "give the network a folder of its own"}},
        options.json_diagnostics);
}

}  // namespace

int run_generate(const Options& asked) {
  Options options = asked;
  if (const Result<Done> codes = quantize_first(options); !codes) return fail(options, codes.faults());
  const ModelLimit limit(options);
  bind_endless(options);
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return fail(options, prepared.faults());
  const AtWork at(reporting(prepared->analysis));
  if (const Result<Done> told = print_report(prepared->report); !told) return fail(options, told.faults());
  if (!prepared->over.empty()) {
    // The page of this failure, not of the last success, is what its reader needs.
    const Result<Done> written =
        emit::write_files(".", report_files(options.reports, prepared->report), {prepared->analysis.dependencies});
    if (!written) return fail(options, written.faults());
    return fail(options, prepared->over);
  }
  prepared->report.plan_id = emit::plan_id(prepared->analysis, prepared->report, options.emit);
  Result<std::vector<emit::OutputFile>> files = emit::emit(prepared->analysis, prepared->report, options.emit);
  if (!files) return fail(options, files.faults());
  if (options.selftest) {
    Result<emit::OutputFile> selftest = selftest_file(options, *prepared);
    if (!selftest) return fail(options, selftest.faults());
    files->push_back(std::move(*selftest));
  }
  if (options.trace) {
    for (emit::OutputFile& file : emit::trace_files(prepared->analysis, prepared->report))
      files->push_back(std::move(file));
  }
  *files = emit::arrange(options.layout, prepared->analysis, prepared->report, std::move(*files));
  const std::vector<std::string> targets =
      options.depfile_target.empty() ? output_paths(options, *files) : std::vector<std::string>{options.depfile_target};
  for (emit::OutputFile& file : report_files(options.reports, prepared->report)) files->push_back(std::move(file));
  if (!options.depfile.empty()) {
    files->push_back(
        emit::text_file(absolute(options.depfile), emit::depfile(targets, prepared->analysis.dependencies)));
  }
  const emit::FolderLock alone(options.output);
  const Diagnostics taken = emit::others_in_place(options.output, prepared->report.name, *files);
  if (!taken.empty()) return fail(options, taken);
  warn_of_others(options, *files);  // before: once files are in place nothing may fail any more
  const Result<std::vector<std::string>> stale = emit::stale_files(options.output, prepared->report.name, *files);
  if (!stale) return fail(options, stale.faults());
  const Result<Done> written = emit::write_files(options.output, *files, {prepared->analysis.dependencies, *stale});
  if (!written) return fail(options, written.faults());
  emit::remove_emptied(options.output, *stale);
  return 0;
}

}  // namespace tarn::cli
