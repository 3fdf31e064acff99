#include "compile.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "choose_stripes.h"
#include "emit/names.h"
#include "graph/accuracy.h"
#include "graph/build.h"
#include "graph/cut.h"
#include "model/load_onnx.h"
#include "ops/lower.h"
#include "passes/passes.h"
#include "planner/validate.h"
#include "program/states.h"
#include "stream/check_plan.h"
#include "stream/endless.h"
#include "stream/make_plan.h"
#include "support/check.h"
#include "support/sha256.h"
#include "support/text.h"

namespace tarn {

namespace {

// A layer whose output follows too closely on its input works on one pixel at a time and takes about a third longer.
// A few pixels' distance more make whole blocks: an arena may grow by this part for them.
constexpr int64_t kBlockRoomPart = 128;

// How many orders of the least peak are packed before a larger arena is accepted, by effort.
constexpr int kOrdersTried[] = {1, 8, 32, 128};

Result<std::map<std::string, Constant>> load_constants(const CompileOptions& options) {
  std::map<std::string, Constant> constants;
  Diagnostics faults;
  for (const auto& [name, file] : options.constants) {
    Result<Constant> loaded = model::load_tensor(file);
    if (loaded) constants.emplace(name, std::move(*loaded));
    else faults.insert(faults.end(), loaded.faults().begin(), loaded.faults().end());
  }
  if (!faults.empty()) return faults;
  return constants;
}

// A plan that breaks a law is a fault of ours, never handed on.
void check_plan(const planner::Problem& problem, const planner::Plan& plan) {
  const std::vector<planner::Violation> violations = planner::validate(problem, plan);
  if (!violations.empty()) TARN_FAIL("invalid plan: " + violations.front().text);
}

// One order; its plan knows the bound alone so far.
Planned prepare(const program::Program& program, const CompileOptions& options, const Variant& variant, const lifetimes::Storage& storage,
                const schedule::Ordering& ordering, const schedule::Order& order) {
  Planned planned;
  planned.schedule = schedule::make_schedule(program, ordering, order);
  planned.planning = lifetimes::make_planning(program, storage, planned.schedule, {variant.share, options.alignment, 0});
  planned.plan.lower_bound = planner::lower_bound(planned.planning.problem);
  planned.storage = storage;
  return planned;
}

void pack(const CompileOptions& options, const Variant& variant, int64_t below, Planned& planned) {
  planned.plan = planner::solve(planned.planning.problem, variant.strategy, {options.effort, below});
  check_plan(planned.planning.problem, planned.plan);
}

// The same schedule with room for blocks of pixels, where that costs next to nothing.
Planned with_blocks(const program::Program& program, const CompileOptions& options, const Variant& variant, Planned tight) {
  const int64_t room = tight.plan.arena + tight.plan.arena / kBlockRoomPart;
  lifetimes::Planning planning = lifetimes::make_planning(program, tight.storage, tight.schedule, {variant.share, options.alignment, room});
  if (planning.problem == tight.planning.problem) return tight;
  // What is apart in the tight plan is further apart here: no plan of this problem is smaller than the least tight one.
  planning.problem.known_bound = std::max(planning.problem.known_bound, tight.plan.lower_bound);
  planner::Plan plan = planner::solve(planning.problem, variant.strategy, {options.effort});
  check_plan(planning.problem, plan);
  if (plan.arena > room) return tight;
  plan.search_nodes += tight.plan.search_nodes;
  tight.plan = std::move(plan);
  tight.planning = std::move(planning);
  return tight;
}

// Not every order of the least peak packs at its peak: others are tried before the arena grows, those of the least bound first.
Planned pack_best(const program::Program& program, const CompileOptions& options, const Variant& variant, const lifetimes::Storage& storage,
                  const schedule::Ordering& ordering, const schedule::Order& order) {
  const int tries = kOrdersTried[std::clamp(options.effort, 0, 3)];
  const bool searching = variant.strategy == planner::Strategy::automatic || variant.strategy == planner::Strategy::exact;
  // The order's cost model knows no alignment: an excess of a few padded ends over its peak is no reason to look further.
  const int64_t padded_peak = order.peak + 4 * options.alignment;
  const auto is_enough = [&](const planner::Plan& plan) {
    return plan.arena <= order.peak || (plan.proof == planner::Proof::optimal && plan.arena <= padded_peak);
  };
  std::vector<Planned> others;
  const auto prepare_others = [&] {
    for (std::vector<int>& operators : schedule::alternatives(ordering.problem, order, {order.operators}, tries - 1)) {
      schedule::Order other = order;
      other.operators = std::move(operators);
      others.push_back(prepare(program, options, variant, storage, ordering, other));
    }
    std::stable_sort(others.begin(), others.end(), [](const Planned& a, const Planned& b) { return a.plan.lower_bound < b.plan.lower_bound; });
  };
  Planned best = prepare(program, options, variant, storage, ordering, order);
  const bool hopeless = best.plan.lower_bound > padded_peak;
  if (searching && tries > 1 && hopeless) {
    prepare_others();
    if (!others.empty() && others.front().plan.lower_bound < best.plan.lower_bound) std::swap(best, others.front());
  }
  pack(options, variant, INT64_MAX, best);
  if (searching && tries > 1 && !hopeless && !is_enough(best.plan)) prepare_others();
  for (Planned& other : others) {
    if (is_enough(best.plan)) break;
    if (other.plan.lower_bound >= best.plan.arena) continue;
    pack(options, variant, best.plan.arena, other);
    other.plan.search_nodes += best.plan.search_nodes;
    if (other.plan.arena < best.plan.arena) best = std::move(other);
    else best.plan.search_nodes = other.plan.search_nodes;
  }
  return best;
}

Planned plan_tight(const program::Program& program, const CompileOptions& options, const Variant& variant) {
  const lifetimes::Storage storage = lifetimes::assign_storage(program, variant.share, options.caller_io);
  const schedule::Ordering ordering = schedule::make_ordering(program, storage, variant.share, variant.order, {options.effort});
  schedule::Order order;
  for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
  if (variant.order == schedule::OrderKind::given) {
    order.peak = schedule::peak_of(ordering.problem, order.operators);
    Planned planned = prepare(program, options, variant, storage, ordering, order);
    pack(options, variant, INT64_MAX, planned);
    return planned;
  }
  order = schedule::min_peak(ordering.problem, {options.effort});
  return pack_best(program, options, variant, storage, ordering, order);
}

// Divides what has been planned as one arena among the banks.
Result<lifetimes::Banked> divide(const program::Program& program, const CompileOptions& options, const Planned& planned) {
  Result<std::vector<uint32_t>> allowed =
      lifetimes::allowed_banks(program, planned.storage, planned.planning, options.memory, options.model_path);
  if (!allowed) return allowed.faults();
  const bool given = options.order == schedule::OrderKind::given;
  const lifetimes::BankRequest request{options.memory.banks,
                                       std::move(*allowed),
                                       {options.share, options.alignment, 0},
                                       options.strategy,
                                       {options.effort},
                                       given,
                                       given ? planned.plan.lower_bound : std::min(planned.plan.lower_bound, planned.schedule.lower_bound),
                                       options.blocks && options.share.overlap ? kBlockRoomPart : 0};
  lifetimes::Banked banked = lifetimes::plan_banks(program, planned.storage, planned.schedule, planned.planning, request);
  planner::Plan joined;  // all banks behind each other: the whole problem holds there too
  joined.offsets = banked.offsets;
  for (size_t i = 0; i < joined.offsets.size(); ++i) joined.arena = std::max(joined.arena, joined.offsets[i] + planned.planning.problem.items[i].size);
  check_plan(planned.planning.problem, joined);
  return banked;
}

// The plan as everything downstream reads it: sums over the banks.
void take_banks(lifetimes::Banked banked, Planned& planned, Analysis& analysis) {
  planner::Plan& plan = planned.plan;
  plan.offsets = banked.offsets;
  plan.arena = banked.arena();
  plan.lower_bound = banked.lower_bound();
  plan.search_nodes += banked.search_nodes;
  plan.proof = planner::Proof::optimal;
  for (const lifetimes::BankPlan& bank : banked.plans) {
    if (bank.proof != planner::Proof::optimal && plan.proof != planner::Proof::none) plan.proof = bank.proof;
  }
  analysis.banked = std::move(banked);
}

Result<Done> plan_memory(const CompileOptions& options, Planned& planned, Analysis& analysis) {
  if (options.memory.banks.empty()) return Done{};
  Result<lifetimes::Banked> banked = divide(analysis.program, options, planned);
  if (!banked) return banked.faults();
  if (!banked->fits && !banked->proved && options.order == schedule::OrderKind::min_peak) {
    // The order of least peak in all need not be the one that divides best.
    Planned other = plan_tight(analysis.program, options, {options.strategy, schedule::OrderKind::given, options.share});
    Result<lifetimes::Banked> again = divide(analysis.program, options, other);
    if (again && again->fits) {
      again->floor = banked->floor;
      planned = std::move(other);
      banked = std::move(again);
    }
  }
  take_banks(std::move(*banked), planned, analysis);
  return Done{};
}

}  // namespace

Planned plan_variant(const program::Program& program, const CompileOptions& options, const Variant& variant) {
  Planned planned = plan_tight(program, options, variant);
  return options.blocks && variant.share.overlap ? with_blocks(program, options, variant, std::move(planned)) : planned;
}

namespace {

std::vector<program::OperationId> order_of(const schedule::Schedule& schedule) {
  std::vector<program::OperationId> order;
  for (const schedule::Step& step : schedule.steps) order.push_back(step.operation);
  return order;
}

std::string obstacle_of(const CompileOptions& options, const program::Program& program) {
  // Lines that are pushed or pulled are copied: they have no place of the caller's.
  const bool moved = options.stream.mode == stream::Mode::fed || options.stream.mode == stream::Mode::time || options.stream.drain;
  if (options.caller_io && moved) return "inputs and outputs are the caller's";
  if (!options.memory.banks.empty()) return "memory is divided into banks";
  return stream::obstacle(program);
}

using Lower = std::function<Result<program::Program>(const graph::Graph&)>;

// The striped network in the place of the plain one. Layer by layer its plan is of no interest, but what goes by operations and
// tensors needs one.
void take_stripes(Striped striped, Analysis& analysis) {
  analysis.graph = std::move(striped.graph);
  analysis.program = std::move(striped.program);
  analysis.stream = std::move(striped.plan);
  CompileOptions quick = analysis.options;
  quick.effort = 0;
  Planned planned = plan_tight(analysis.program, quick, {planner::Strategy::greedy_by_size, schedule::OrderKind::given, quick.share});
  analysis.storage = std::move(planned.storage);
  analysis.schedule = std::move(planned.schedule);
  analysis.planning = std::move(planned.planning);
  analysis.plan = std::move(planned.plan);
}

void check_lines(const Analysis& analysis) {
  const std::vector<std::string> faults = stream::check_plan(analysis.program, *analysis.stream);
  if (!faults.empty()) TARN_FAIL("invalid plan by lines: " + faults.front());
}

bool runs_by_lines(const CompileOptions& options) {
  const stream::Mode mode = options.stream.mode;
  return mode == stream::Mode::resident || mode == stream::Mode::fed || mode == stream::Mode::time;
}

// The plan without end, and its beginning checked.
Result<Done> plan_time(Analysis& analysis) {
  const CompileOptions& options = analysis.options;
  stream::EndlessPlan made = stream::make_endless(analysis.program, options.share, options.stream, {options.alignment, options.effort});
  if (!made.obstacle.empty()) {
    return Diagnostic{"E312", {.file = options.model_path}, "it cannot go on without end: " + made.obstacle,
                      "pad signals in front alone and give an output for each step, or push one window after the other with --stream fed"};
  }
  const std::vector<std::string> faults = stream::check_plan(made.program, made.beginning);
  if (!faults.empty()) TARN_FAIL("invalid plan by lines: " + faults.front());
  analysis.stream = std::move(made.plan);
  return Done{};
}

Result<Done> plan_lines(Analysis& analysis, const Lower& lower) {
  const CompileOptions& options = analysis.options;
  if (!runs_by_lines(options)) return Done{};
  const std::string why = obstacle_of(options, analysis.program);
  if (!why.empty()) {
    return Diagnostic{"E311", {.file = options.model_path}, "it cannot run by lines: " + why, "leave --stream away"};
  }
  if (options.stream.mode == stream::Mode::time) return plan_time(analysis);
  const std::vector<stream::Layers> layers = stream::layers_of(analysis.program, analysis.storage, order_of(analysis.schedule), options.share);
  analysis.stream = stream::make_plan(analysis.program, layers, options.stream, {options.alignment, options.effort});
  check_lines(analysis);
  if (options.stream.recompute <= 0) return Done{};
  const StripeRequest request{options.stream, {options.alignment, options.effort}, options.share, lower};
  if (std::optional<Striped> striped = choose_stripes(analysis.graph, analysis.program, *analysis.stream, request)) {
    take_stripes(std::move(*striped), analysis);
    check_lines(analysis);
  }
  return Done{};
}

passes::PassOptions pass_options(const CompileOptions& options) {
  passes::PassOptions passes;
  passes.nhwc_inputs = options.nhwc_inputs;
  passes.nhwc_outputs = options.nhwc_outputs;
  const bool time = options.stream.mode == stream::Mode::time, fed = options.stream.mode == stream::Mode::fed || time;
  const bool resident = options.stream.mode == stream::Mode::resident;
  passes.line_inputs = options.line_inputs || fed;
  passes.line_outputs = options.line_outputs || time || (options.stream.drain && (fed || resident));
  passes.quantized_io = options.quantized_io;
  return passes;
}

// The model on signals of another length. What it says of the tensors between no longer holds; they are inferred.
void set_length(model::Graph& graph, int64_t steps) {
  for (model::ValueInfo& input : graph.inputs) {
    if (!input.type.dims || input.type.dims->size() < 3) continue;
    std::vector<model::Dim>& dims = *input.type.dims;
    // The only axis of a signal, the lines of an image, or the pixels of its only line.
    const size_t axis = dims.size() == 4 && dims[2].value == int64_t{1} ? 3 : 2;
    dims[axis].value = steps;
  }
  graph.value_info.clear();
  for (model::ValueInfo& output : graph.outputs) output.type.dims.reset();
}

Result<Analysis> analyze_once(const CompileOptions& options) {
  Result<model::Model> model = model::load_onnx(options.model_path);
  if (!model) return model.faults();
  if (options.time_steps) set_length(model->graph, *options.time_steps);
  Result<std::map<std::string, Constant>> constants = load_constants(options);
  if (!constants) return constants.faults();
  Result<graph::Built> built = graph::build(*model, {options.dims, std::move(*constants), options.arena_only});
  if (!built) return built.faults();

  Analysis analysis;
  analysis.options = options;
  const std::filesystem::path path(options.model_path);
  analysis.name = options.name.empty() ? emit::prefix_identifier(path.stem().string()) : options.name;
  analysis.sha256 = sha256_hex(model->bytes);
  analysis.opsets = built->opsets;
  analysis.dims = built->dims;
  analysis.model_nodes = static_cast<int>(model->graph.nodes.size());
  analysis.warnings = model->warnings;
  analysis.warnings.insert(analysis.warnings.end(), built->warnings.begin(), built->warnings.end());
  analysis.dependencies.push_back(options.model_path);
  for (const std::string& file : model->external_files) analysis.dependencies.push_back((path.parent_path() / file).string());
  for (const auto& [name, file] : options.constants) analysis.dependencies.push_back(file);
  for (const model::ValueInfo& input : model->graph.inputs) {
    if (!options.constants.contains(input.name)) analysis.input_names.push_back(input.name);
  }
  for (const model::ValueInfo& output : model->graph.outputs) analysis.output_names.push_back(output.name);

  if (!options.cut.empty()) {
    if (const Result<Done> done = graph::cut(built->graph, options.cut, options.model_path); !done) return done.faults();
    analysis.input_names.clear();
    for (graph::ValueId id : built->graph.inputs) analysis.input_names.push_back(built->graph[id].name);
    analysis.output_names = {built->graph[built->graph.outputs[0]].name};
  }
  analysis.output_accuracy = graph::output_accuracy(built->graph);
  analysis.graph = passes::run_passes(std::move(built->graph), pass_options(options));
  const bool along_time = runs_by_lines(options) && ops::runs_along_time(analysis.graph);
  const Lower lower = [&](const graph::Graph& graph) {
    return ops::lower(graph, {options.model_path, options.target, options.arena_only, analysis.input_names, analysis.output_names, built->symbols,
                              along_time});
  };
  Result<program::Program> program = lower(analysis.graph);
  if (!program) return program.faults();
  analysis.program = std::move(*program);
  if (const Diagnostics faults = program::keep_states(analysis.program, options.states, options.model_path); !faults.empty()) return faults;
  for (const auto& [out, in] : options.states) std::erase(analysis.input_names, in);

  const Variant chosen{options.strategy, options.order, options.share};
  Planned planned = options.memory.banks.empty() ? plan_variant(analysis.program, options, chosen) : plan_tight(analysis.program, options, chosen);
  if (const Result<Done> done = plan_memory(options, planned, analysis); !done) return done.faults();
  analysis.storage = std::move(planned.storage);
  analysis.schedule = std::move(planned.schedule);
  analysis.planning = std::move(planned.planning);
  analysis.plan = std::move(planned.plan);
  analysis.naive_arena = plan_variant(analysis.program, options,
                                      {planner::Strategy::naive, schedule::OrderKind::given, {false, false, false}})
                             .plan.arena;
  if (const Result<Done> planned_lines = plan_lines(analysis, lower); !planned_lines) return planned_lines.faults();
  return analysis;
}

}  // namespace

// The cheapest first: an input that is there before the run asks nothing of the caller; tables cost flash; work done twice costs
// time in every run.
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

Result<Analysis> analyze(const CompileOptions& options) {
  if (options.stream.mode != stream::Mode::automatic) return analyze_once(options);
  CompileOptions layers = options;
  layers.stream.mode = stream::Mode::off;
  Result<Analysis> analysis = analyze_once(layers);
  if (analysis) analysis->options.stream = layers.stream;
  if (!analysis || !options.arena_budget || analysis->plan.arena <= *options.arena_budget) return analysis;
  if (!obstacle_of(options, analysis->program).empty()) return analysis;
  for (const stream::Options& choice : stream_choices(options.stream)) {
    layers.stream = choice;
    Result<Analysis> lines = analyze_once(layers);
    if (!lines || !lines->stream) continue;
    const stream::Plan& plan = *lines->stream;
    analysis->tried_lines.push_back({choice, plan.arena, plan.bound, stream::table_bytes(plan), plan.proof});
    if (plan.arena <= *options.arena_budget && stream::not_emitted(lines->program, plan).empty()) {
      lines->tried_lines = std::move(analysis->tried_lines);
      return lines;
    }
  }
  return analysis;
}

}  // namespace tarn
