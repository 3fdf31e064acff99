#include "report/pareto.h"

#include <algorithm>
#include <array>
#include <memory>

#include "choose_stripes.h"
#include "program/macs.h"
#include "stream/make_plan.h"
#include "support/checked.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// In percent of all multiplications, the highest first: where it brings no stripes, less does not either.
constexpr double kBudgets[] = {100, 50, 20, 10, 5, 2, 1};
// Arenas between that with joined layers and that without.
constexpr int kBetween = 4;

bool same_way(const CompileOptions& a, const CompileOptions& b) {
  if (a.stream.mode == stream::Mode::off || b.stream.mode == stream::Mode::off) return a.stream.mode == b.stream.mode;
  return a.stream == b.stream && a.line_arena == b.line_arena;
}

class Front {
 public:
  explicit Front(const Analysis& analysis) : given_(analysis.options), options_(analysis.options) {
    options_.stream = {};
    options_.stream.scan = given_.stream.scan;
    options_.stream.line_buffers = given_.stream.line_buffers;
    options_.arena_budget.reset();
    options_.line_arena.reset();
  }

  std::vector<ParetoRow> run() {
    layers();
    const int64_t resident = way(stream::Mode::resident, false);
    if (resident >= 0 && way(stream::Mode::fed, false) >= 0) way(stream::Mode::fed, true);
    mark_dominated(rows_);
    return std::move(rows_);
  }

 private:
  // All that one way of handing lines over allows. Its arena with joined layers; negative: there is none.
  int64_t way(stream::Mode mode, bool drain) {
    stream::Options options = options_.stream;
    options.mode = mode;
    options.drain = drain;
    const int64_t least = lines(options);
    if (least < 0 || !options_.stream.line_buffers) return least;
    options.line_buffers = false;
    const int64_t most = lines(options);
    options.line_buffers = true;
    for (int i = 1; i <= kBetween; ++i) {
      const int64_t arena = least + (most - least) * i / (kBetween + 1);
      if (arena > least && arena < most) add(options, arena);
    }
    return least;
  }

  // In rings and by tables, each with work done twice too.
  int64_t lines(stream::Options options) {
    const int64_t arena = add(options, {});
    if (arena < 0) return arena;
    for (const stream::Lines way : {stream::Lines::table, stream::Lines::ring}) {
      options.lines = way;
      if (way == stream::Lines::table) add(options, {});
      columns(options);
      twice(options);
    }
    return arena;
  }

  void twice(stream::Options options) {
    const auto memo = std::make_shared<RecomputeMemo>();
    std::optional<ParetoRow> last;
    for (const double budget : kBudgets) {
      // The one before has found its best with less already.
      if (last &&
          static_cast<double>(last->extra_macs) * 100 <= budget * static_cast<double>(last->macs - last->extra_macs))
        continue;
      options.recompute = budget;
      const size_t before = rows_.size();
      if (add(options, {}, memo) < 0 || rows_.size() == before) break;
      if (!rows_.back().twice) {
        take_once(budget);
        break;
      }
      last = rows_.back();
    }
  }

  // A budget that nothing is done twice for still gives scratch no room that the arena grows for: the last row stays
  // where that is another plan than those known.
  void take_once(double budget) {
    ParetoRow row = std::move(rows_.back());
    rows_.pop_back();
    const bool is_known = std::any_of(rows_.begin(), rows_.end(), [&](const ParetoRow& other) {
      return other.arena == row.arena && other.instructions == row.instructions && other.flash == row.flash;
    });
    if (is_known) return;
    row.options += cat(" --recompute ", static_cast<int64_t>(budget));
    rows_.push_back(std::move(row));
  }

  // Images on their side.
  void columns(stream::Options options) {
    if (options.scan == stream::Scan::columns) return;
    options.scan = stream::Scan::columns;
    add(options, {});
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
    finish(*analysis, compile, row);
  }

  // The arena; negative: there is no such plan.
  int64_t add(const stream::Options& options, std::optional<int64_t> arena, std::shared_ptr<RecomputeMemo> memo = {}) {
    CompileOptions compile = options_;
    compile.recompute_memo = std::move(memo);
    compile.stream = options;
    compile.line_arena = arena;
    const Result<Analysis> analysis = analyze(compile);
    if (!analysis || !analysis->stream || !stream::not_emitted(analysis->program, *analysis->stream).empty()) return -1;
    const stream::LinePlan& plan = *analysis->stream;
    ParetoRow row;
    row.options = cat("--stream ", to_string(options.mode), options.drain ? " --drain" : "",
                      options.lines == stream::Lines::table ? " --lines table" : "",
                      options.scan == stream::Scan::columns ? " --scan columns" : "",
                      options_.stream.line_buffers && !options.line_buffers ? " --line-buffers off" : "",
                      arena ? cat(" --arena ", *arena) : "");
    row.arena = plan.arena;
    row.bound = plan.bound;
    row.proof = to_string(plan.proof);
    row.stripes = plan.stripes;
    row.twice = stream::works_twice(plan);
    row.extra_macs = plan.extra_macs;
    row.table_bytes = stream::table_bytes(plan);
    for (size_t port = 0; port < analysis->program.inputs.size(); ++port)
      row.passes = std::max(row.passes, stream::passes_of(plan, port));
    if (row.twice) row.options += " --recompute " + percent(plan);
    finish(*analysis, compile, row);
    return plan.arena;
  }

  void finish(const Analysis& analysis, const CompileOptions& compile, ParetoRow& row) {
    row.macs = program::macs_of(analysis.program);
    row.flash = analysis.weight_bytes() + row.table_bytes;
    if (const auto time = time_figures(analysis, compile.target)) row.instructions = time->instructions();
    row.chosen = same_way(compile, given_);
    rows_.push_back(std::move(row));
  }

  // What is done twice, in tenths rounded up: the option that allows just that. Stripes that cost nothing need a budget
  // as well: without any none are looked for.
  static std::string percent(const stream::LinePlan& plan) {
    const int64_t tenths = std::max<int64_t>(1, plan.macs > 0 ? ceil_div(plan.extra_macs * 1000, plan.macs) : 0);
    return cat(tenths / 10, ".", tenths % 10);
  }

  const CompileOptions& given_;
  CompileOptions options_;
  std::vector<ParetoRow> rows_;
};

}  // namespace

void mark_dominated(std::vector<ParetoRow>& rows) {
  const bool timed = !rows.empty() && std::all_of(rows.begin(), rows.end(),
                                                  [](const ParetoRow& r) { return r.instructions.has_value(); });
  const auto figures = [&](const ParetoRow& r) {
    return timed ? std::array{r.arena, *r.instructions, r.flash} : std::array{r.arena, r.macs, int64_t{0}};
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const ParetoRow& a, const ParetoRow& b) { return figures(a) < figures(b); });
  // Those before have less or the same RAM: of equals the first is the better one.
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto own = figures(rows[i]);
    rows[i].dominated =
        std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i), [&](const ParetoRow& b) {
          const auto other = figures(b);
          return other[0] <= own[0] && other[1] <= own[1] && other[2] <= own[2];
        });
  }
}

std::vector<ParetoRow> pareto(const Analysis& analysis) { return Front(analysis).run(); }

}  // namespace tarn::report
