#include "compile.h"

#include <algorithm>
#include <future>
#include <utility>

#include "analyze_sizes.h"
#include "graph/bind.h"
#include "keep_states.h"
#include "make_program.h"
#include "ops/lower.h"
#include "plan_layers.h"
#include "plan_lines.h"
#include "plan_room.h"
#include "plan_spread.h"
#include "plan_steps.h"
#include "program/states.h"
#include "stream/cost/price.h"
#include "stream/make_plan.h"
#include "support/memory_limit.h"
#include "support/text.h"
#include "time/lines.h"
#include "tuning.h"

namespace tarn {

namespace {

// The next state lies where the old one was, so what it is made of cannot lie in its bytes as it could in those of an
// output: it is copied there at the end, where that makes the arena smaller.
void stage_updates(const CompileOptions& options, const Variant& variant, program::Program& program, Planned& planned) {
  const size_t states = program.states.size();
  if (options.arena_only || options.effort == 0 || states > kMostStaged || program.main.size() > kMostStagedSteps)
    return;
  for (size_t state = 0; state < states; ++state) {
    program::Program other = program;
    if (!program::stage_update(other, state)) continue;
    Planned smaller = plan_variant(other, options, variant);
    if (smaller.plan.arena >= planned.plan.arena) continue;
    program = std::move(other);
    planned = std::move(smaller);
  }
}

// Weights that stand in arrays, or unpacked from them by the operation that reads them.
bool may_spread(const CompileOptions& options) {
  const bool arrays = options.weights != WeightForm::stream && options.weights != WeightForm::image;
  return arrays && options.run_time.empty();
}

// Weights of the caller's are read as early as may be where the arena does not grow for it.
void read_early(const CompileOptions& options, const Variant& variant, program::Program& program, Planned& planned) {
  for (const int64_t more : {int64_t{0}, planned.plan.arena / 16}) {
    std::optional<program::Program> other = with_early_reads(program, planned, more);
    if (!other) return;
    Planned early = plan_variant(*other, options, variant);
    if (early.plan.arena > planned.plan.arena) continue;
    program = std::move(*other);
    planned = std::move(early);
    return;
  }
}

// Another graph of the same model, lowered in the same way.
Lower lower_as(const Lowered& lowered) {
  return [&how = lowered.how](const graph::Graph& graph) { return ops::lower(graph, how); };
}

// By lines, what all layers of a segment need lives beside each step, so that room for larger scratch is never left:
// layers get it where a run without takes more than kMostTimeOfLines of one by layers that have it, and the time that
// it saves is worth its bytes, or brings the run within that while lines still save a tenth of the arena.
Result<Done> give_lines_room(const CompileOptions& options, const Variant& variant, Lowered& lowered) {
  Analysis& analysis = lowered.analysis;
  const stream::Options& stream = options.stream;
  if (!analysis.stream || stream.mode == stream::Mode::time || stream.lines != stream::Lines::ring ||
      stream.recompute > 0)
    return Done{};
  const std::optional<int64_t> plain = time_as_planned(analysis);
  if (!plain || !give_all_room(analysis.program, analysis.graph)) return Done{};
  const auto without = [&analysis] {
    take_room(analysis.graph);
    return Done{};
  };
  Diagnostics told = analysis.warnings;  // once
  Result<program::Program> program = program_of(options, lowered, told);
  if (!program) return program.faults();
  Analysis roomy = analysis;
  roomy.program = std::move(*program);
  roomy.stream.reset();
  take(plan_variant(roomy.program, options, variant), roomy);
  const std::optional<int64_t> layers = time_by_layers(roomy);
  if (!layers || is_fast_enough(*plain, *layers)) return without();
  if (const Result<Done> done = plan_lines(roomy, lower_as(lowered)); !done) return done.faults();
  const std::optional<int64_t> time = time_as_planned(roomy);
  const int64_t arena = analysis.stream->arena, other = roomy.stream->arena;
  const int64_t budget = line_limits(options).budget;
  const bool fits = budget == 0 || other <= budget || other <= arena;
  if (!time || !fits) return without();
  const bool enough = is_fast_enough(*time, *layers) && other <= most_arena_for_time(roomy.plan.arena);
  const bool pays = stream::price_of(*time, other) < stream::price_of(*plain, arena);
  if (!pays && !enough) return without();
  analysis = std::move(roomy);
  return Done{};
}

Result<Analysis> analyze_once(const CompileOptions& asked);

// Of the network by layers, without much search.
std::optional<int64_t> time_of_layers(const CompileOptions& options) {
  CompileOptions layers = options;
  layers.stream.mode = stream::Mode::off;
  layers.effort = 0;
  layers.order_only = true;
  Result<Analysis> found = analyze_once(layers);
  return found ? time_as_planned(*found) : std::nullopt;
}

Result<Analysis> analyze_once(const CompileOptions& asked) {
  CompileOptions options = with_ports(asked);
  const Result<LoadedModel> model = load_model(options);
  if (!model) return model.faults();
  std::future<std::string> sha256 = options.sizes_only ? std::future<std::string>() : sha256_of(**model);
  Result<Lowered> lowered = make_program(options, **model);
  if (!lowered) return lowered.faults();
  Analysis& analysis = lowered->analysis;
  options.alignment = analysis.options.alignment;
  if (options.separate_states && analysis.program.states.empty())
    return Diagnostic{"E209",
                      {.file = options.model_path},
                      "--state-memory separate: the network has no states",
                      "name them with --state OUT=IN, or --state auto"};
  if (options.separate_states) analysis.options.memory = options.memory = state_banks(analysis.program);
  const AtWork planning(
      {.what = "planning", .count = static_cast<int64_t>(analysis.program.tensors.size()), .unit = "tensors"});
  const Variant chosen{options.strategy, options.order, options.share};
  const bool tight = !options.memory.banks.empty() || (options.order_only && runs_by_lines(options));
  Planned planned =
      tight ? plan_tight(analysis.program, options, chosen) : plan_variant(analysis.program, options, chosen);
  const bool searched = !tight && !runs_by_lines(options) && chosen.strategy == planner::Strategy::automatic;
  if (searched && give_room(analysis.program, planned, analysis.graph)) {
    Diagnostics told = analysis.warnings;  // once
    // Faster kernels where the arena does not grow for their scratch.
    Result<program::Program> roomy = program_of(options, *lowered, told);
    if (!roomy) return roomy.faults();
    Planned other = plan_variant(*roomy, options, chosen);
    if (other.plan.arena <= planned.plan.arena) {
      analysis.program = std::move(*roomy);
      planned = std::move(other);
    } else {
      take_room(analysis.graph);
    }
  }
  if (!tight && !runs_by_lines(options)) stage_updates(options, chosen, analysis.program, planned);
  if (!tight && options.weights == WeightForm::stream) read_early(options, chosen, analysis.program, planned);
  if (!options.sizes_only) analysis.naive_arena = naive_arena(analysis.program, options);
  if (searched && may_spread(options)) spread_where_room(options, chosen, analysis.program, planned);
  if (const Result<Done> done = plan_memory(options, planned, analysis); !done) return done.faults();
  // Each memory is as large as it has to be.
  for (size_t b = 0; options.separate_states && b < analysis.options.memory.banks.size(); ++b)
    analysis.options.memory.banks[b].bytes = analysis.banked->plans[b].arena;
  take(std::move(planned), analysis);
  if (runs_by_lines(options) && timing::find_model(options.target, timing::kLineDriver) &&
      (has_signals(analysis.program) || !time_by_layers(analysis)))
    analysis.time_of_layers = time_of_layers(asked);
  if (const Result<Done> planned_lines = plan_lines(analysis, lower_as(*lowered)); !planned_lines)
    return planned_lines.faults();
  if (!tight) {
    if (const Result<Done> roomy = give_lines_room(options, chosen, *lowered); !roomy) return roomy.faults();
  }
  if (sha256.valid()) analysis.sha256 = sha256.get();
  return std::move(analysis);
}

// --weights packed is never larger than plain: a buffer that weights are unpacked into can take the room in which
// constants would be spread out, and then packing may cost more than it saves.
Result<Analysis> analyze_weights(const CompileOptions& options) {
  if (options.weights != WeightForm::packed) return analyze_once(options);
  CompileOptions plain = options;
  plain.weights = WeightForm::c;
  CompileOptions all = options;
  all.pack_constants = true;
  std::optional<int64_t> bytes, packed;
  // One after the other: each holds a model in memory.
  if (const Result<Analysis> other = analyze_once(plain)) bytes = weight_bytes(other->program);
  {
    Result<Analysis> found = analyze_once(options);
    if (!found || !bytes) return found;
    packed = weight_bytes(found->program);
    // Constants that were to be spread out, and then there was no room or no time for it.
    const bool left = std::any_of(found->program.weights.begin(), found->program.weights.end(),
                                  [](const program::Weight& weight) { return weight.spread && !weight.plain; });
    if (!left) return *packed < *bytes ? std::move(found) : analyze_once(plain);
  }
  {
    Result<Analysis> found = analyze_once(all);
    if (found && weight_bytes(found->program) < std::min(*packed, *bytes)) return found;
  }
  return analyze_once(*packed < *bytes ? options : plain);
}

// The bounds of plans in rings and of plans in tables differ by less than one part in 32. So a bound that is further
// above the budget than that rules out both.
bool is_out_of_reach(int64_t bound, int64_t budget) { return bound > budget + budget / 32; }

bool rings_are_far(const Analysis& analysis, const stream::Options& table) {
  stream::Options rings = table;
  rings.lines = stream::Lines::ring;
  return std::any_of(analysis.tried_lines.begin(), analysis.tried_lines.end(), [&](const Analysis::Tried& tried) {
    return tried.options == rings && is_out_of_reach(tried.bound, *analysis.options.arena_budget);
  });
}

}  // namespace

int64_t Analysis::weight_bytes() const {
  int64_t bytes = 0;
  for (const program::Weight& weight : program.weights) bytes += weight.bytes();
  return bytes;
}

passes::PassOptions pass_options(const CompileOptions& options) {
  passes::PassOptions passes;
  passes.nhwc_inputs = options.nhwc_inputs;
  passes.nhwc_outputs = options.nhwc_outputs;
  const bool time = options.stream.mode == stream::Mode::time, fed = options.stream.mode == stream::Mode::fed || time;
  const bool resident = options.stream.mode == stream::Mode::resident;
  passes.line_inputs = options.line_inputs || fed;
  passes.line_outputs = options.line_outputs || time || (options.stream.drain && (fed || resident));
  passes.columns = options.line_columns || (options.stream.scan == stream::Scan::columns && (fed || resident));
  passes.quantized_io = options.quantized_io;
  passes.left_out = options.left_out;
  passes.fits = options.fits.get();
  return passes;
}

void load_once(CompileOptions& options) {
  if (const Result<LoadedModel> model = load_model(options)) options.loaded = *model;
}

Result<std::vector<std::string>> open_dimensions(const CompileOptions& options) {
  const Result<LoadedModel> model = load_model(options);
  if (!model) return model.faults();
  graph::Binding binding(options.dims);
  for (const model::ValueInfo& input : (*model)->graph.inputs) {
    if (options.constants.contains(input.name) || !input.type.dims) continue;
    for (size_t axis = 0; axis < input.type.dims->size(); ++axis)
      binding.input_dim((*input.type.dims)[axis], input.name, static_cast<int>(axis));
  }
  return binding.missing_names();
}

Result<Analysis> analyze_near(const CompileOptions& options, int64_t arena) {
  CompileOptions quick = options;
  quick.effort = 0;
  quick.order_only = true;
  quick.compared = false;
  if (options.effort > 0) {
    Result<Analysis> look = analyze_once(quick);
    const bool tables = options.stream.lines == stream::Lines::table;  // they take long
    if (!look || !look->stream || look->stream->arena > arena + arena / 2 || look->stream->bound > arena + arena / 4 ||
        (tables && is_out_of_reach(look->stream->bound, arena))) {
      return look;
    }
  }
  return analyze_weights(options);
}

Result<Analysis> analyze(const CompileOptions& options) {
  if (!options.run_time.empty()) return analyze_sizes(options);
  if (options.stream.mode != stream::Mode::automatic) return analyze_weights(options);
  CompileOptions layers = options;
  layers.stream.mode = stream::Mode::off;
  Result<Analysis> analysis = analyze_weights(layers);
  if (analysis) analysis->options.stream = layers.stream;
  if (!analysis || !options.arena_budget || analysis->plan.arena <= *options.arena_budget) return analysis;
  if (!obstacle_of(options, analysis->program).empty()) return analysis;
  analysis->lines_left_out = options.flash_budget && analysis->weight_bytes() > *options.flash_budget;
  if (analysis->lines_left_out) return analysis;
  for (const stream::Options& choice : stream_choices(options.stream)) {
    if (choice.lines == stream::Lines::table && rings_are_far(*analysis, choice)) continue;
    layers.stream = choice;
    layers.compared = true;
    Result<Analysis> lines = analyze_near(layers, *options.arena_budget);
    if (!lines || !lines->stream) continue;
    const stream::LinePlan& plan = *lines->stream;
    analysis->tried_lines.push_back({choice, plan.arena, plan.bound, stream::table_bytes(plan), plan.proof});
    if (plan.arena <= *options.arena_budget && stream::not_emitted(lines->program, plan).empty()) {
      lines->tried_lines = std::move(analysis->tried_lines);
      return lines;
    }
  }
  return analysis;
}

}  // namespace tarn
