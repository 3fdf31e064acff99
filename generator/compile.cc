#include "compile.h"

#include <algorithm>
#include <filesystem>
#include <future>

#include "emit/kernels.h"
#include "emit/names.h"
#include "graph/accuracy.h"
#include "graph/bind.h"
#include "graph/build.h"
#include "graph/cut.h"
#include "model/load_onnx.h"
#include "ops/lower.h"
#include "ops/onnxruntime_differs.h"
#include "passes/passes.h"
#include "passes/split_weights.h"
#include "plan_layers.h"
#include "plan_lines.h"
#include "plan_room.h"
#include "plan_sizes.h"
#include "program/pack_weights.h"
#include "program/pair_states.h"
#include "program/place_weights.h"
#include "program/share_weights.h"
#include "program/sizes.h"
#include "program/stage_weights.h"
#include "program/states.h"
#include "program/store_states.h"
#include "program/windows.h"
#include "stream/make_plan.h"
#include "support/memory_limit.h"
#include "support/progress.h"
#include "support/sha256.h"
#include "support/text.h"

namespace tarn {

namespace {

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

// A port of images that is handed over in another order than the model's, though few channels stand last in the model:
// nothing in the network tells which axes are which (see is_channels_last of the layout pass), its sizes do.
bool looks_channels_last(const graph::Graph& graph, graph::ValueId id) {
  constexpr int64_t kFewChannels = 4;
  const Shape& handed = graph.shape(id);  // [N, ..., last, first] of a model's [N, first, ..., last]
  const int rank = handed.rank();
  const int64_t first = handed[rank - 1], last = handed[rank - 2];
  return rank == 4 && last <= kFewChannels && last < first && last < handed[1];
}

// What --input-layout and --output-layout have nothing to do for, and what they should not do.
void warn_of_layout(Analysis& analysis) {
  const passes::PassOptions passes = pass_options(analysis.options);
  const auto warn = [&](const std::vector<graph::ValueId>& ports, bool input) {
    for (const graph::ValueId id : ports) {
      if (!id) continue;
      const int rank = analysis.graph.shape(id).rank();
      if (rank < 3 || passes::columns_handed_over(passes, rank, input)) continue;
      Where where;
      where.file = analysis.options.model_path;
      where.tensor = analysis.graph[id].name;
      if (analysis.graph[id].handed_over_last) {
        if (looks_channels_last(analysis.graph, id))
          analysis.warnings.push_back(
              {"W205", where,
               cat(input ? "--input" : "--output",
                   "-layout nhwc takes the second axis for channels and hands it over as ",
                   to_string(analysis.graph.shape(id)), "; the model seems to have it channels last already"),
               "leave the option away where the last axis holds the channels"});
        continue;
      }
      analysis.warnings.push_back(
          {"W203",
           where,
           cat(input ? "--input" : "--output", "-layout nhwc changes nothing: the model itself has it channels last"),
           {}});
    }
  };
  if (passes.nhwc_inputs) warn(analysis.graph.inputs, true);
  if (passes.nhwc_outputs) warn(analysis.graph.outputs, false);
}

Result<model::Model> load(const CompileOptions& options) {
  if (!options.quantised) return model::load_onnx(options.model_path);
  const std::string& file = *options.quantised;
  return model::load_onnx_bytes(options.model_path, {reinterpret_cast<const uint8_t*>(file.data()), file.size()});
}

// What states begin with, by their inputs: a file's values, or those of an initializer that the input has.
Result<std::map<std::string, Constant>> first_values(const CompileOptions& options, model::Graph& graph) {
  std::map<std::string, Constant> values;
  Diagnostics faults;
  for (const auto& [out, in] : options.states) {
    const auto given = std::find_if(graph.initializers.begin(), graph.initializers.end(),
                                    [&name = in](const auto& i) { return i.name == name; });
    if (given == graph.initializers.end()) continue;
    model::ValueInfo input;
    input.name = in;
    input.type.kind = model::Type::Kind::tensor;
    input.type.dtype = given->value.dtype();
    input.type.dims.emplace();
    for (const int64_t size : given->value.shape().dims) input.type.dims->push_back({size, {}});
    graph.inputs.push_back(std::move(input));
    values.emplace(in, std::move(given->value));
    graph.initializers.erase(given);
  }
  for (const auto& [in, file] : options.first_values) {
    Result<Constant> loaded = model::load_tensor(file);
    if (loaded) values.insert_or_assign(in, std::move(*loaded));
    else faults.insert(faults.end(), loaded.faults().begin(), loaded.faults().end());
  }
  if (!faults.empty()) return faults;
  return values;
}

// Weights that reset copies into the states.
Diagnostics keep_first_values(const CompileOptions& options, const std::map<std::string, Constant>& values,
                              program::Program& program) {
  Diagnostics faults;
  for (size_t i = 0; i < program.kept.size(); ++i) {
    program::KeptState& kept = program.kept[i];
    const auto found = values.find(kept.in);
    if (found == values.end()) continue;
    const Constant& first = found->second;
    const TensorType& type = kept.model_type ? *kept.model_type : program[program.states[i]].type;
    const bool reordered = options.nhwc_inputs && type.shape.rank() > 2;
    if (first.type() != type || reordered) {
      faults.push_back({"E209",
                        {.file = options.model_path, .tensor = kept.in},
                        cat("its first values are ", to_string(first.type()), ", the state is ", to_string(type),
                            reordered ? ", its channels last" : ""),
                        "a file of --state OUT=IN:FILE.pb holds one tensor of the state's type and shape"});
      continue;
    }
    kept.first = program::WeightId(program.weights.size());
    const TensorType& own = program[program.states[i]].type;
    program.weights.push_back(
        {kept.in + "_first", own.dtype, own.shape.count(), first.is_absent() ? first.source() : "",
         [first, stored = kept.stored](const std::function<void(std::span<const uint8_t>)>& sink) {
           sink(stored == program::StateType::none ? first.bytes() : program::stored_bytes(first, stored));
         }});
  }
  return faults;
}

// The states that --state names, and those that go by their names. Names that fit in all but element type or shape are
// a fault where none are found.
Diagnostics keep_states(const CompileOptions& options, const std::string& all_copied, program::Program& program,
                        Diagnostics& warnings) {
  std::vector<std::pair<std::string, std::string>> pairs = options.states, windows;
  Diagnostics faults;
  const std::string names = "name the pairs, --state OUT=IN; inputs: " + join(program.input_names) +
                            "; outputs: " + join(program.output_names);
  if (options.states_by_name) {
    program::StatePairs found = program::pair_states(program, pairs);
    if (found.pairs.empty() && pairs.empty()) {
      const std::string what =
          "--state auto finds no output that is the next run's input by name, element type and shape";
      if (!found.near.empty())
        faults.push_back({"E209", {.file = options.model_path}, cat(what, ": ", join(found.near, "; ")), names});
      else warnings.push_back({"W207", {.file = options.model_path}, what, names});
    } else if (!found.near.empty()) {
      warnings.push_back({"W207",
                          {.file = options.model_path},
                          "--state auto leaves out pairs by name: " + join(found.near, "; "),
                          names});
    }
    windows = found.pairs;
    pairs.insert(pairs.end(), found.pairs.begin(), found.pairs.end());
  }
  const auto notes = program::keep_windows(program, windows);
  const auto stored = program::store_states(program, pairs, {options.state_type, options.states_as_ports});
  if (options.states_as_ports) return faults;
  const Diagnostics wrong = program::keep_states(program, pairs, options.model_path, all_copied);
  faults.insert(faults.end(), wrong.begin(), wrong.end());
  std::vector<std::string> inside;
  for (program::KeptState& kept : program.kept) {
    for (const auto& [in, note] : notes) {
      if (in == kept.in) kept.note = note;
    }
    for (const auto& [in, type] : stored) {
      if (in != kept.in) continue;
      kept.stored = options.state_type;
      kept.model_type = type;
      inside.push_back(kept.out);
    }
  }
  if (faults.empty() && !inside.empty()) program::drop_outputs(program, inside);
  return faults;
}

// A large file's takes a while.
std::future<std::string> sha256_of(const model::Model& model) {
  return std::async(model.bytes.size() > (1 << 20) ? std::launch::async : std::launch::deferred,
                    [bytes = model.bytes] { return sha256_hex(bytes); });
}

// Kernel calls, not planned yet.
struct Lowered {
  Analysis analysis;
  ops::LowerOptions how;                  // for another graph of the same model
  std::map<std::string, Constant> first;  // values of states
};

// The calls of the graph, with its states, and its weights where they are to be.
Result<program::Program> program_of(const CompileOptions& options, const Lowered& lowered, Diagnostics& warnings) {
  Result<program::Program> program = ops::lower(lowered.analysis.graph, lowered.how);
  if (!program) return program;
  if (!options.arena_only) {
    if (Diagnostics faults = emit::check_kernels(*program, options.model_path); !faults.empty()) return faults;
  }
  program::share_weights(*program);
  const std::string all_copied = options.caller_io    ? "outputs are the caller's memory"
                                 : options.arena_only ? "the caller's kernels write outputs by their own names"
                                                      : "";
  Diagnostics faults = keep_states(options, all_copied, *program, warnings);
  if (faults.empty()) faults = keep_first_values(options, lowered.first, *program);
  if (faults.empty()) faults = program::place_weights(*program, options.weight_sections, options.model_path);
  if (!faults.empty()) return faults;
  if (options.weights == WeightForm::packed) program::pack_weights(*program);
  if (options.weights == WeightForm::stream) program::stage_all_weights(*program, options.weights_buffer);
  if (options.weights == WeightForm::image) program::hold_image_address(*program);
  return program;
}

// A copy beside a state is worth this part of the arena; networks of more steps or states are planned once.
constexpr int64_t kStagedPart = 64;
constexpr size_t kMostStagedSteps = 400, kMostStaged = 8;

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
    if (smaller.plan.arena > planned.plan.arena - planned.plan.arena / kStagedPart) continue;
    program = std::move(other);
    planned = std::move(smaller);
  }
}

// --state-memory separate: two memories, of which the second holds the states alone.
lifetimes::BankOptions state_banks(const program::Program& program) {
  constexpr int64_t kBoundless = int64_t{1} << 40;
  lifetimes::BankOptions memory;
  memory.banks = {{"scratch", kBoundless, "", true}, {"states", kBoundless, "", true}};
  for (const program::TensorId id : program.states) memory.pins.emplace_back(program[id].name, "states");
  return memory;
}

// Those that are left; no positions: all of them.
template <class T>
void take_positions(const std::vector<size_t>& positions, std::vector<T>& values) {
  if (positions.empty() && values.empty()) return;
  std::vector<T> left;
  for (const size_t at : positions) {
    if (at < values.size()) left.push_back(values[at]);
  }
  if (!positions.empty()) values = std::move(left);
}

Result<Lowered> make_program(const CompileOptions& options, model::Model loaded) {
  model::Model* model = &loaded;
  if (options.time_steps) set_length(model->graph, *options.time_steps);
  Result<std::map<std::string, Constant>> constants = load_constants(options);
  if (!constants) return constants.faults();
  const Result<std::map<std::string, Constant>> first = first_values(options, model->graph);
  if (!first) return first.faults();
  Result<graph::Built> built = graph::build(
      *model, {options.dims, std::move(*constants), options.arena_only, {}, !options.left_out.contains(kFoldFloats)});
  if (!built) return built.faults();

  Lowered lowered;
  Analysis& analysis = lowered.analysis;
  analysis.options = options;
  const std::filesystem::path path(options.model_path);
  analysis.name = options.name.empty() ? emit::prefix_identifier(path.stem().string()) : options.name;
  analysis.opsets = built->opsets;
  analysis.dims = built->dims;
  analysis.model_nodes = static_cast<int>(model->graph.nodes.size());
  analysis.warnings = model->warnings;
  analysis.warnings.insert(analysis.warnings.end(), built->warnings.begin(), built->warnings.end());
  analysis.dependencies.push_back(options.model_path);
  for (const std::string& file : model->external_files)
    analysis.dependencies.push_back((path.parent_path() / file).string());
  for (const auto& [name, file] : options.constants) analysis.dependencies.push_back(file);
  for (const std::string& file : options.quantised_from) analysis.dependencies.push_back(file);
  for (const model::ValueInfo& input : model->graph.inputs) {
    if (!options.constants.contains(input.name)) analysis.input_names.push_back(input.name);
  }
  for (const model::ValueInfo& output : model->graph.outputs) analysis.output_names.push_back(output.name);

  if (!options.cut.empty()) {
    if (const Result<Done> done = graph::cut(built->graph, options.cut, options.model_path); !done)
      return done.faults();
    analysis.input_names.clear();
    for (graph::ValueId id : built->graph.inputs) analysis.input_names.push_back(built->graph[id].name);
    analysis.output_names = {built->graph[built->graph.outputs[0]].name};
  }
  const auto nodes = static_cast<int64_t>(built->graph.nodes.size());
  const AtWork fusing({.what = "fusing", .count = nodes, .unit = "nodes"});
  const Diagnostics differences = ops::onnxruntime_differences(built->graph, options.model_path);
  analysis.warnings.insert(analysis.warnings.end(), differences.begin(), differences.end());
  analysis.output_accuracy = graph::output_accuracy(built->graph);
  Result<graph::Graph> compressed =
      passes::compress_weights(passes::run_passes(std::move(built->graph), pass_options(options)), options.weight_types,
                               options.widen_weights, options.model_path);
  if (!compressed) return compressed.faults();
  analysis.graph = std::move(*compressed);
  if (options.weights == WeightForm::stream)
    analysis.graph = passes::split_weights(std::move(analysis.graph), options.weights_buffer / 2);
  warn_of_layout(analysis);
  const bool along_time = runs_by_lines(options) && ops::runs_along_time(analysis.graph);
  const bool input_rows = options.stream.mode == stream::Mode::resident && !options.caller_io;
  lowered.how = {options.model_path,
                 options.target,
                 options.arena_only,
                 analysis.input_names,
                 analysis.output_names,
                 built->symbols,
                 along_time,
                 options.stream.mode == stream::Mode::time,
                 input_rows};
  lowered.first = *first;
  Result<program::Program> program = program_of(options, lowered, analysis.warnings);
  if (!program) return program.faults();
  analysis.program = std::move(*program);
  for (const program::KeptState& kept : analysis.program.kept) std::erase(analysis.input_names, kept.in);
  take_positions(analysis.program.output_positions, analysis.output_names);
  take_positions(analysis.program.output_positions, analysis.output_accuracy);
  return lowered;
}

void take(Planned planned, Analysis& analysis) {
  analysis.storage = std::move(planned.storage);
  analysis.schedule = std::move(planned.schedule);
  analysis.planning = std::move(planned.planning);
  analysis.plan = std::move(planned.plan);
}

int64_t naive_arena(const program::Program& program, const CompileOptions& options) {
  return plan_variant(program, options, {planner::Strategy::naive, schedule::OrderKind::given, {false, false, false}})
      .plan.arena;
}

Result<Analysis> analyze_once(const CompileOptions& asked) {
  CompileOptions options = with_ports(asked);
  Result<model::Model> model = load(options);
  if (!model) return model.faults();
  std::future<std::string> sha256 = sha256_of(*model);
  Result<Lowered> lowered = make_program(options, *model);
  if (!lowered) return lowered.faults();
  Analysis& analysis = lowered->analysis;
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
  if (const Result<Done> done = plan_memory(options, planned, analysis); !done) return done.faults();
  // Each memory is as large as it has to be.
  for (size_t b = 0; options.separate_states && b < analysis.options.memory.banks.size(); ++b)
    analysis.options.memory.banks[b].bytes = analysis.banked->plans[b].arena;
  take(std::move(planned), analysis);
  analysis.naive_arena = naive_arena(analysis.program, options);
  const Lower lower = [&how = lowered->how](const graph::Graph& graph) { return ops::lower(graph, how); };
  if (const Result<Done> planned_lines = plan_lines(analysis, lower); !planned_lines) return planned_lines.faults();
  analysis.sha256 = sha256.get();
  return std::move(analysis);
}

// One firmware for every size of the range.
Result<Analysis> analyze_sizes(const CompileOptions& options) {
  const SizeRange& range = *options.run_time;
  const Result<model::Model> model = load(options);
  if (!model) return model.faults();
  std::future<std::string> sha256 = sha256_of(*model);
  std::vector<Analysis> sizes;
  for (int64_t n = range.low; n <= range.high; ++n) {
    note_progress("making the program of each size", static_cast<uint64_t>(n - range.low));
    CompileOptions at = options;
    at.run_time.reset();
    at.dims[range.name] = n;
    at.stream.mode = stream::Mode::off;
    Result<Lowered> lowered = make_program(at, *model);
    if (!lowered) {
      Diagnostics faults = lowered.faults();
      for (Diagnostic& fault : faults) fault.message = cat("at ", range.name, "=", n, ": ", fault.message);
      return faults;
    }
    sizes.push_back(std::move(lowered->analysis));
    program::add_set_size(sizes.back().program, range.name);
    if (n < range.high) sizes.back().graph = {};
  }
  CompileOptions by_layers = options;
  by_layers.stream.mode = stream::Mode::off;
  by_layers.dims[range.name] = range.high;
  const Result<std::vector<SizeSpan>> spans = find_spans(sizes, by_layers);
  if (!spans) return spans.faults();
  std::vector<Planned> plans;
  for (const SizeSpan& span : *spans) plans.push_back(plan_span(by_layers, span, sizes));

  // The report is of the largest, the arena and the weights are those of all.
  Analysis analysis = sizes.back();
  analysis.options = by_layers;
  take(std::move(plans.back()), analysis);
  for (const Planned& planned : plans) analysis.plan.arena = std::max(analysis.plan.arena, planned.plan.arena);
  if (analysis.plan.arena > analysis.plan.lower_bound && analysis.plan.proof == planner::Proof::optimal)
    analysis.plan.proof = planner::Proof::best_found;
  for (size_t k = 0; k + 1 < spans->size(); ++k) {
    const SizeSpan& span = (*spans)[k];
    const std::vector<program::WeightId> at = program::add_weights(sizes[span.last].program, analysis.program.weights);
    for (size_t i = span.first; i <= span.last; ++i) program::read_from(sizes[i].program, at);
  }
  analysis.naive_arena = naive_arena(analysis.program, options);
  analysis.sizes = std::move(sizes);
  analysis.sha256 = sha256.get();
  return analysis;
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
  return passes;
}

Result<std::vector<std::string>> open_dimensions(const CompileOptions& options) {
  const Result<model::Model> model = load(options);
  if (!model) return model.faults();
  graph::Binding binding(options.dims);
  for (const model::ValueInfo& input : model->graph.inputs) {
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
  return analyze_once(options);
}

Result<Analysis> analyze(const CompileOptions& options) {
  if (options.run_time) return analyze_sizes(options);
  if (options.stream.mode != stream::Mode::automatic) return analyze_once(options);
  CompileOptions layers = options;
  layers.stream.mode = stream::Mode::off;
  Result<Analysis> analysis = analyze_once(layers);
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
