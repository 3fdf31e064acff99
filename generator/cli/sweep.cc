#include "cli/sweep.h"

#include "program/macs.h"
#include "report/time_figures.h"

namespace tarn::cli {

namespace {

report::SweepRow row_for(const CompileOptions& compile, const std::map<std::string, int64_t>& values) {
  report::SweepRow row;
  row.dims = values;
  const Result<Analysis> analysis = analyze(compile);
  if (!analysis) {
    row.fault = to_text(analysis.faults().front());
    return row;
  }
  row.arena = analysis->plan.arena;
  row.lower_bound = analysis->plan.lower_bound;
  row.proof = to_string(analysis->plan.proof);
  row.macs = program::macs_of(analysis->program);
  if (const auto time = report::time_figures(*analysis, compile.target)) row.instructions = time->instructions();
  return row;
}

void combine(const Options& options, std::map<std::string, std::vector<int64_t>>::const_iterator at,
             CompileOptions& compile, std::map<std::string, int64_t>& values, std::vector<report::SweepRow>& rows) {
  if (at == options.sweep.end()) {
    rows.push_back(row_for(compile, values));
    return;
  }
  for (int64_t value : at->second) {
    compile.dims[at->first] = values[at->first] = value;
    combine(options, std::next(at), compile, values, rows);
  }
}

}  // namespace

std::vector<report::SweepRow> sweep(const Options& options) {
  std::vector<report::SweepRow> rows;
  CompileOptions compile = options.compile;
  std::map<std::string, int64_t> values;
  combine(options, options.sweep.begin(), compile, values, rows);
  return rows;
}

}  // namespace tarn::cli
