#include "cli/commands.h"

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "report/compare.h"
#include "report/report.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

struct Outcome {
  int exit_code = 0;
  std::optional<Analysis> analysis;
  report::Report report;
};

// Makes the report's budgets out of the options; E301 to E303 when one does not hold.
Diagnostics check_budgets(const Options& options, const Analysis& analysis, report::Report& report) {
  Diagnostics faults;
  if (options.ram) {
    const int64_t used = report.ram_total();
    const bool fits = used <= *options.ram;
    // Below the lower bound no plan can be, with these options; between bound and plan the search has not decided.
    const int64_t floor = report.lower_bound + used - report.arena;
    const bool proved = fits || floor > *options.ram || report.proof == "optimal";
    report.ram_budget = report::Budget{*options.ram, used, fits, proved};
    if (!fits) {
      faults.push_back({proved ? "E301" : "E302", {.file = options.compile.model_path},
                        cat("needs ", used, " bytes of RAM, the budget is ", *options.ram,
                            proved ? "; no plan of this graph with these options is smaller than " + std::to_string(floor) : ""),
                        "the report names the peak and what would fit"});
    }
  }
  if (options.flash) {
    const int64_t used = report.weights + report.code.value_or(0);
    const bool fits = used <= *options.flash;
    report.flash_budget = report::Budget{*options.flash, used, fits, true};
    if (!fits) {
      faults.push_back({"E303", {.file = options.compile.model_path},
                        cat("needs ", used, " bytes of flash for weights alone, the budget is ", *options.flash), "quantise the model"});
    }
  }
  (void)analysis;
  return faults;
}

emit::OutputFile report_file(const std::string& path, const report::Report& report) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return emit::text_file(std::filesystem::path(path).filename().string(),
                         extension == ".json" ? report::to_json(report) : report::to_text(report));
}

// Report files, each in the folder that the user named.
Diagnostics write_reports(const Options& options, const report::Report& report) {
  for (const std::string& path : options.reports) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const Result<Done> written = emit::write_files(folder.empty() ? "." : folder, {report_file(path, report)});
    if (!written) return written.faults();
  }
  return {};
}

int fail(const Diagnostics& faults) {
  print(faults, false);
  return exit_code(faults);
}

}  // namespace

void print(const Diagnostics& diagnostics, bool as_json) {
  for (const Diagnostic& d : diagnostics) std::cerr << (as_json ? to_json(d) : to_text(d)) << "\n";
}

int run_analyze(const Options& options) {
  Result<Analysis> analysis = analyze(options.compile);
  if (!analysis) return fail(analysis.faults());
  print(analysis->warnings, false);
  report::Report report = report::make_report(*analysis, options.command_line);
  const Diagnostics over = check_budgets(options, *analysis, report);
  if (options.compare) report.compare = report::compare_variants(*analysis);
  std::cout << report::to_text(report);
  if (const Diagnostics faults = write_reports(options, report); !faults.empty()) return fail(faults);
  if (!over.empty()) return fail(over);
  return 0;
}

int run_generate(const Options& options) {
  Result<Analysis> analysis = analyze(options.compile);
  if (!analysis) return fail(analysis.faults());
  print(analysis->warnings, false);
  report::Report report = report::make_report(*analysis, options.command_line);
  const Diagnostics over = check_budgets(options, *analysis, report);
  std::cout << report::to_text(report);
  if (!over.empty()) return fail(over);
  Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, options.emit);
  if (!files) return fail(files.faults());
  const Result<Done> written = emit::write_files(options.output, *files);
  if (!written) return fail(written.faults());
  if (const Diagnostics faults = write_reports(options, report); !faults.empty()) return fail(faults);
  return 0;
}

int run_explain(int argc, char** argv) {
  const DiagnosticKind* kind = argc > 1 ? find_diagnostic(argv[1]) : nullptr;
  if (!kind) {
    std::cerr << "usage: tarn explain CODE, with one of:\n";
    for (const DiagnosticKind& k : diagnostic_catalog()) std::cerr << "  " << k.code << "  " << k.title << "\n";
    return 2;
  }
  std::cout << kind->code << ": " << kind->title << " (exit code " << kind->exit_code << ")\n" << kind->meaning << "\n" << kind->remedy << "\n";
  return 0;
}

}  // namespace tarn::cli
