#include "plan_lines.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "choose_stripes.h"
#include "line_costs.h"
#include "plan_steps.h"
#include "program/macs.h"
#include "stream/check/check_plan.h"
#include "stream/endless.h"
#include "stream/joining/recompute.h"
#include "stream/make_plan.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn {

namespace {

constexpr uint64_t kBesidePart = 2;  // of the work of a plan: what one beside it may take

}  // namespace

bool runs_by_lines(const CompileOptions& options) {
  const stream::Mode mode = options.stream.mode;
  return mode == stream::Mode::resident || mode == stream::Mode::fed || mode == stream::Mode::time;
}

CompileOptions with_ports(const CompileOptions& options) {
  const bool moved =
      options.stream.mode == stream::Mode::fed || options.stream.mode == stream::Mode::time || options.stream.drain;
  CompileOptions ports = options;
  if (!options.caller_io || !runs_by_lines(options) || !moved) return ports;
  ports.caller_io = false;
  ports.stream.drain = true;
  if (ports.stream.mode == stream::Mode::resident) ports.stream.mode = stream::Mode::fed;
  return ports;
}

std::string obstacle_of(const CompileOptions& options, const program::Program& program) {
  if (!options.memory.banks.empty()) return "memory is divided into banks";
  const stream::Options& lines = options.stream;
  // Who pushes lines says when a run begins by NAME_reset, which a state does not survive.
  if (!program.states.empty() && runs_by_lines(options) && (lines.mode != stream::Mode::resident || lines.drain))
    return "outputs are kept as the next run's inputs, which --stream resident alone does, without --drain, and "
           "--stream "
           "time, for what Concat puts in front of a signal";
  if (options.weights > WeightForm::incbin) return "weights do not stand where they are linked";
  return stream::obstacle(program);
}

std::vector<program::OperationId> line_order(const Analysis& analysis) {
  const std::vector<program::OperationId>& last = analysis.program.epilogue;
  std::vector<program::OperationId> order;
  for (const schedule::Step& step : analysis.schedule.steps) {
    if (std::find(last.begin(), last.end(), step.operation) == last.end()) order.push_back(step.operation);
  }
  return order;
}

void check_lines(const program::Program& program, const stream::LinePlan& plan) {
  const std::vector<std::string> faults = stream::check_plan(program, plan);
  if (!faults.empty()) TARN_FAIL("invalid plan by lines: " + faults.front());
}

stream::SearchLimits line_limits(const CompileOptions& options) {
  stream::SearchLimits limits{options.alignment, options.effort,
                              options.line_arena.value_or(options.arena_budget.value_or(0))};
  if (options.compared) limits.part = kBesidePart;
  return limits;
}

namespace {

// The striped network in the place of the plain one, which has no plan by layers.
void take_stripes(Striped striped, Analysis& analysis) {
  analysis.graph = std::move(striped.graph);
  analysis.program = std::move(striped.program);
  analysis.stream = std::move(striped.plan);
  analysis.storage = {};
  analysis.schedule = {};
  analysis.planning = {};
  analysis.plan = {};
}

// The plan without end, and its beginning checked.
Result<Done> plan_time(Analysis& analysis) {
  const CompileOptions& options = analysis.options;
  stream::EndlessPlan made =
      stream::make_endless(analysis.program, options.share, options.stream, {options.alignment, options.effort});
  if (!made.obstacle.empty()) {
    return Diagnostic{"E312",
                      {.file = options.model_path},
                      "it cannot go on without end: " + made.obstacle,
                      "pad signals in front alone and give an output for each step, or push one window after the other "
                      "with --stream fed"};
  }
  check_lines(made.program, made.beginning);
  analysis.stream = std::move(made.plan);
  return Done{};
}

// Nothing is done twice.
void plan_once(const std::vector<stream::Layers>& layers, const stream::SearchLimits& limits, RecomputeMemo& memo,
               Analysis& analysis) {
  if (memo.without) {
    analysis.stream = memo.without;
    return;
  }
  std::vector<stream::JoinedLayers> choices = stream::choose(analysis.program, layers, analysis.options.stream, limits);
  const auto recomputing =
      std::stable_partition(choices.begin(), choices.end(),
                            [](const stream::JoinedLayers& choice) { return stream::recomputed(choice.chains) == 0; });
  std::move(recomputing, choices.end(), std::back_inserter(memo.recomputing));
  choices.erase(recomputing, choices.end());
  plan_steps(stream::finish(std::move(choices), limits), limits, analysis);
  memo.without = analysis.stream;
}

// Its arena, in bytes.
int64_t note_without(Analysis& analysis) {
  const stream::LinePlan& plan = *analysis.stream;
  analysis.once = {analysis.options.stream, plan.arena, plan.bound, stream::table_bytes(plan), plan.proof};
  analysis.once->options.recompute = 0;
  return plan.arena;
}

// Joined layers recompute lines within the budget, if that makes the arena smaller.
void recompute(const stream::SearchLimits& limits, const RecomputeMemo& memo, Analysis& analysis) {
  const int64_t macs = program::macs_of(analysis.program);
  std::vector<stream::JoinedLayers> choices =
      stream::choices_within(memo.recomputing, analysis.program, analysis.options.stream.recompute, 0, macs);
  if (choices.empty()) return;
  const stream::JoinedLayers choice = stream::finish(std::move(choices), limits);
  stream::LinePlan plan = stream::plan_of(choice, analysis.options.stream, limits);
  if (plan.arena >= analysis.stream->arena || !stream::not_emitted(analysis.program, plan).empty()) return;
  plan.recomputed = stream::recomputed(choice.chains);
  plan.extra_macs = stream::extra_macs_of(analysis.program, choice.chains);
  plan.macs = macs;
  analysis.stream = std::move(plan);
}

}  // namespace

Result<Done> plan_lines(Analysis& analysis, const Lower& lower) {
  const CompileOptions& options = analysis.options;
  if (!runs_by_lines(options)) return Done{};
  const std::string why = obstacle_of(options, analysis.program);
  if (!why.empty()) {
    return Diagnostic{"E311", {.file = options.model_path}, "it cannot run by lines: " + why, "leave --stream away"};
  }
  if (options.stream.mode == stream::Mode::time) return plan_time(analysis);
  const std::vector<stream::Layers> layers =
      stream::layers_of(analysis.program, analysis.storage, line_order(analysis), options.share);
  stream::SearchLimits limits = line_limits(options);
  limits.time_by_layers = time_by_layers(analysis).value_or(0);
  const std::optional<stream::Costs> costs = line_costs(analysis, layers.front(), limits.time_by_layers);
  if (costs) limits.costs = &*costs;
  const std::shared_ptr<RecomputeMemo> memo =
      options.recompute_memo ? options.recompute_memo : std::make_shared<RecomputeMemo>();
  plan_once(layers, limits, *memo, analysis);
  check_lines(analysis.program, *analysis.stream);
  if (options.stream.recompute <= 0) return Done{};
  const int64_t without = note_without(analysis);
  recompute(limits, *memo, analysis);
  const auto costs_of = [&options](const program::Program& program, const stream::Layers& layers) {
    return line_costs(options, program, layers);
  };
  const StripeRequest request{options.stream, line_limits(options), options.share, lower, costs_of, memo};
  if (std::optional<Striped> striped =
          choose_stripes(analysis.graph, analysis.program, without, analysis.stream->arena, request))
    take_stripes(std::move(*striped), analysis);
  check_lines(analysis.program, *analysis.stream);
  return Done{};
}

// The cheapest first: an input that is there before the run asks nothing of the caller; tables cost flash; work done
// twice costs time in every run.
std::vector<stream::Options> stream_choices(const stream::Options& asked) {
  std::vector<stream::Options> choices;
  if (asked.recompute > 0) {
    stream::Options once = asked;
    once.recompute = 0;
    choices = stream_choices(once);
  }
  for (const stream::Lines lines : {stream::Lines::ring, stream::Lines::table}) {
    if (asked.lines == stream::Lines::table && lines == stream::Lines::ring) continue;
    for (const stream::Mode mode : {stream::Mode::resident, stream::Mode::fed}) {
      stream::Options choice = asked;
      choice.mode = mode;
      choice.lines = lines;
      choices.push_back(choice);
    }
  }
  return choices;
}

}  // namespace tarn
