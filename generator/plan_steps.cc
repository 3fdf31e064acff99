#include "plan_steps.h"

#include <algorithm>

#include "report/time_figures.h"
#include "stream/cost/price.h"
#include "stream/network/grid.h"
#include "stream/tuning.h"

namespace tarn {

namespace {

using stream::JoinedLayers;
using stream::LinePlan;

// Blocks of three pixels are the most common ones.
constexpr int64_t kLinesInStep[] = {2, 3, 4, 6, 9, 12, 15, 20};

// Of a run of the plan, or of one by layers; nothing where something of it is not modelled.
std::optional<int64_t> time_of(Analysis& analysis, std::optional<LinePlan> plan) {
  analysis.stream.swap(plan);
  const std::optional<report::TimeFigures> figures = report::time_figures(analysis, analysis.options.target);
  analysis.stream.swap(plan);
  return figures ? figures->instructions() : std::nullopt;
}

struct Timed {
  LinePlan plan;
  int64_t time = 0;
};

bool is_better(int64_t time, int64_t arena, const Timed& shorter) {
  return stream::price_of(time, arena) < stream::price_of(shorter.time, shorter.plan.arena);
}

}  // namespace

bool is_fast_enough(int64_t time, int64_t time_by_layers) {
  return static_cast<double>(time) <= static_cast<double>(time_by_layers) * stream::kMostTimeOfLines;
}

int64_t most_arena_for_time(int64_t arena_by_layers) {
  return static_cast<int64_t>(static_cast<double>(arena_by_layers) * stream::kMostArenaOfLines);
}

std::optional<int64_t> time_as_planned(Analysis& analysis) { return time_of(analysis, analysis.stream); }

std::optional<int64_t> time_by_layers(Analysis& analysis) {
  return analysis.time_of_layers ? analysis.time_of_layers : time_of(analysis, {});
}

bool has_signals(const program::Program& program) {
  return std::any_of(program.operations.begin(), program.operations.end(), [&](const program::Operation& operation) {
    const program::TensorId made = stream::only_result(operation);
    if (!made.valid() || !operation.line_form) return false;
    const program::Geometry& g = program[made].geometry;
    return g.pixels == 1 && g.lines > 1;
  });
}

void plan_steps(const JoinedLayers& choice, const stream::SearchLimits& limits, Analysis& analysis) {
  const stream::Options& options = analysis.options.stream;
  analysis.stream = stream::plan_of(choice, options, limits);
  if (options.lines != stream::Lines::ring) return;
  const std::optional<int64_t> by_lines = time_of(analysis, analysis.stream);
  if (limits.time_by_layers == 0 || !by_lines) return;
  const int64_t most = limits.budget > 0 ? std::min(limits.budget, analysis.plan.arena - 1) : analysis.plan.arena - 1;
  const int64_t saves = most_arena_for_time(analysis.plan.arena);
  const Timed shortest{*analysis.stream, *by_lines};
  Timed best = shortest;
  const auto is_taken = [&](const Timed& longer, int64_t arena) {
    const bool is_fast = is_fast_enough(longer.time, limits.time_by_layers);
    const bool pays =
        is_better(longer.time, arena, best) || (is_fast && (is_better(longer.time, arena, shortest) || arena <= saves));
    return longer.time < best.time && (limits.budget > 0 || pays);
  };
  for (const int64_t at_once : kLinesInStep) {
    if (is_fast_enough(best.time, limits.time_by_layers)) break;
    std::optional<JoinedLayers> longer =
        stream::look_at_longer_steps(choice, analysis.program, options, limits, at_once);
    if (!longer) break;
    if (longer->best.lives.bound > most) continue;
    Timed timed{stream::plan_of(*longer, options, limits), 0};
    const std::optional<int64_t> time = time_of(analysis, timed.plan);
    if (!time) break;
    timed.time = *time;
    // Even in the least arena there may be.
    if (!is_taken(timed, timed.plan.bound)) continue;
    stream::finish(longer->net, longer->best, limits);
    if (longer->best.plan.arena > most) continue;
    timed.plan = stream::plan_of(*longer, options, limits);
    timed.time = time_of(analysis, timed.plan).value_or(timed.time);
    if (is_taken(timed, timed.plan.arena)) best = std::move(timed);
  }
  analysis.stream = std::move(best.plan);
}

}  // namespace tarn
