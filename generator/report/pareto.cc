#include "report/pareto.h"

#include <algorithm>
#include <cstdio>

#include "stream/make_plan.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// In percent of all multiplications, the highest first: where it brings no stripes, less does not either.
constexpr double kBudgets[] = {20, 10, 5, 2, 1};

class Front {
 public:
  explicit Front(const Analysis& analysis) : options_(analysis.options) {
    options_.stream = {};
    options_.stream.line_buffers = analysis.options.stream.line_buffers;
    options_.arena_budget.reset();
  }

  std::vector<ParetoRow> run() {
    layers();
    const int64_t fed = lines(stream::Mode::resident, false), drained = fed < 0 ? fed : lines(stream::Mode::fed, false);
    if (drained >= 0) lines(stream::Mode::fed, true, drained);
    for (const stream::Mode mode : {stream::Mode::resident, stream::Mode::fed}) {
      if (fed >= 0) add(stream_options(mode, false, stream::Lines::table, 0));
    }
    mark();
    return std::move(rows_);
  }

 private:
  stream::Options stream_options(stream::Mode mode, bool drain, stream::Lines how, double recompute) const {
    stream::Options options = options_.stream;
    options.mode = mode;
    options.drain = drain;
    options.lines = how;
    options.recompute = recompute;
    return options;
  }

  void layers() {
    CompileOptions compile = options_;
    compile.stream.mode = stream::Mode::off;
    const Result<Analysis> analysis = analyze(compile);
    if (!analysis) return;
    ParetoRow row{.options = "--stream off"};
    row.arena = analysis->plan.arena;
    row.bound = analysis->plan.lower_bound;
    row.proof = to_string(analysis->plan.proof);
    for (const program::Operation& operation : analysis->program.operations) row.macs += operation.macs;
    rows_.push_back(std::move(row));
  }

  // The arena without work done twice, -1 when there is none. No more is tried when that is `same`.
  int64_t lines(stream::Mode mode, bool drain, int64_t same = -1) {
    const int64_t arena = add(stream_options(mode, drain, stream::Lines::ring, 0));
    if (arena < 0 || arena == same) return arena;
    for (double budget : kBudgets) {
      if (rows_.back().stripes > 0 && below(budget)) continue;
      const size_t before = rows_.size();
      add(stream_options(mode, drain, stream::Lines::ring, budget));
      if (rows_.size() == before) break;
      if (rows_.back().stripes == 0) {
        rows_.pop_back();
        break;
      }
    }
    return arena;
  }

  // The row before has found its best with less already.
  bool below(double budget) const {
    const ParetoRow& row = rows_.back();
    return static_cast<double>(row.extra_macs) * 100 <= budget * static_cast<double>(row.macs - row.extra_macs);
  }

  int64_t add(const stream::Options& options) {
    CompileOptions compile = options_;
    compile.stream = options;
    const Result<Analysis> analysis = analyze(compile);
    if (!analysis || !analysis->stream || !stream::not_emitted(analysis->program, *analysis->stream).empty()) return -1;
    const stream::LinePlan& plan = *analysis->stream;
    ParetoRow row;
    row.options = cat("--stream ", to_string(options.mode), options.drain ? " --drain" : "",
                      options.lines == stream::Lines::table ? " --lines table" : "");
    row.arena = plan.arena;
    row.bound = plan.bound;
    row.proof = to_string(plan.proof);
    row.stripes = plan.stripes;
    row.extra_macs = plan.extra_macs;
    row.table_bytes = stream::table_bytes(plan);
    for (const program::Operation& operation : analysis->program.operations) row.macs += operation.macs;
    for (size_t port = 0; port < analysis->program.inputs.size(); ++port)
      row.passes = std::max(row.passes, stream::passes_of(plan, port));
    if (plan.stripes > 0) row.options += " --recompute " + percent(plan);
    rows_.push_back(std::move(row));
    return plan.arena;
  }

  // What the stripes take, in tenths rounded up: the option that allows just them.
  static std::string percent(const stream::LinePlan& plan) {
    const int64_t tenths = plan.macs > 0 ? (plan.extra_macs * 1000 + plan.macs - 1) / plan.macs : 0;
    return cat(tenths / 10, ".", tenths % 10);
  }

  void mark() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const ParetoRow& a, const ParetoRow& b) {
      return std::pair(a.arena, a.macs) < std::pair(b.arena, b.macs);
    });
    // Ascending RAM: each row of the front needs fewer multiplications than all before it.
    int64_t least = INT64_MAX;
    for (ParetoRow& row : rows_) {
      row.dominated = row.macs >= least;
      least = std::min(least, row.macs);
    }
  }

  CompileOptions options_;
  std::vector<ParetoRow> rows_;
};

}  // namespace

std::vector<ParetoRow> pareto(const Analysis& analysis) { return Front(analysis).run(); }

}  // namespace tarn::report
