#include "make_program.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "emit/kernels.h"
#include "emit/names.h"
#include "graph/accuracy.h"
#include "graph/build.h"
#include "graph/cut.h"
#include "keep_states.h"
#include "model/load_onnx.h"
#include "ops/lower.h"
#include "ops/onnxruntime_differs.h"
#include "ops/packing.h"
#include "passes/passes.h"
#include "passes/read_corners.h"
#include "passes/split_weights.h"
#include "plan_lines.h"
#include "plan_room.h"
#include "program/pack_weights.h"
#include "program/place_weights.h"
#include "program/share_weights.h"
#include "program/stage_weights.h"
#include "state_histories.h"
#include "support/memory_limit.h"
#include "support/sha256.h"
#include "support/text.h"
#include "tensor/coded_values.h"

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
void set_length(model::GraphDef& graph, int64_t steps) {
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

// Names of float32 numbers that the model has in float16 and casts.
std::set<std::string> cast_from_halves(const model::GraphDef& graph) {
  std::set<std::string> halves, made;
  for (const model::Initializer& one : graph.initializers) {
    if (one.value.dtype() == DType::float16) halves.insert(one.name);
  }
  for (const model::NodeDef& node : graph.nodes) {
    if (node.op == "Cast" && node.domain.empty() && node.inputs.size() == 1 && halves.contains(node.inputs[0]))
      made.insert(node.outputs.begin(), node.outputs.end());
  }
  return made;
}

// How the model calls constants: those of codes by the name of these.
std::map<std::string, std::string> names_of_constants(const graph::Graph& graph) {
  std::map<std::string, std::string> names;
  for (const graph::Value& value : graph.values) {
    if (!value.constant) continue;
    const CodedValues* codes = value.constant->codes();
    names.emplace(value.name, codes && !codes->name.empty() ? codes->name : value.name);
  }
  return names;
}

}  // namespace

Result<LoadedModel> load_model(const CompileOptions& options) {
  if (options.loaded) return options.loaded;
  const auto read = [&]() -> Result<model::Model> {
    if (!options.quantised) return model::load_onnx(options.model_path);
    const std::string& file = *options.quantised;
    return model::load_onnx_bytes(options.model_path, {reinterpret_cast<const uint8_t*>(file.data()), file.size()});
  };
  Result<model::Model> model = read();
  if (!model) return model.faults();
  return LoadedModel(std::make_shared<const model::Model>(std::move(*model)));
}

std::future<std::string> sha256_of(const model::Model& model) {
  return std::async(model.bytes.size() > (1 << 20) ? std::launch::async : std::launch::deferred,
                    [bytes = model.bytes] { return sha256_hex(bytes); });
}

Result<program::Program> program_of(const CompileOptions& options, const Lowered& lowered, Diagnostics& warnings) {
  Result<program::Program> program = ops::lower(lowered.analysis.graph, lowered.how);
  if (!program) return program;
  if (!options.arena_only && !options.sizes_only) {
    if (Diagnostics faults = emit::check_kernels(*program, options.model_path); !faults.empty()) return faults;
  }
  program::share_weights(*program);
  const std::string all_copied = options.caller_io ? "outputs are the caller's memory"
                                 : runs_by_lines(options)
                                     ? "lines of the old one are read while those of the new one are made"
                                 : options.arena_only ? "the caller's kernels write outputs by their own names"
                                                      : "";
  Diagnostics faults =
      keep_states(without_histories(options, lowered.analysis.histories), all_copied, *program, warnings);
  if (faults.empty()) faults = keep_first_values(options, lowered.first, *program);
  if (faults.empty())
    faults = program::place_weights(*program, options.weight_sections, options.model_path,
                                    names_of_constants(lowered.analysis.graph));
  if (!faults.empty()) return faults;
  if (options.weights == WeightForm::packed) program::pack_weights(*program, !options.pack_constants);
  if (options.weights == WeightForm::stream) program::stage_all_weights(*program, options.weights_buffer);
  if (options.weights == WeightForm::image) program::hold_image_address(*program);
  return program;
}

namespace {

// What is known of the model before anything is done to it.
void describe(const CompileOptions& options, const model::Model& model, const graph::Built& built, Analysis& analysis) {
  analysis.options = options;
  const std::filesystem::path path(options.model_path);
  analysis.name = options.name.empty() ? emit::prefix_identifier(path.stem().string()) : options.name;
  analysis.opsets = built.opsets;
  analysis.dims = built.dims;
  analysis.model_nodes = static_cast<int>(model.graph.nodes.size());
  analysis.warnings = model.warnings;
  analysis.warnings.insert(analysis.warnings.end(), built.warnings.begin(), built.warnings.end());
  analysis.dependencies.push_back(options.model_path);
  for (const std::string& file : model.external_files)
    analysis.dependencies.push_back((path.parent_path() / file).string());
  for (const auto& [name, file] : options.constants) analysis.dependencies.push_back(file);
  for (const std::string& file : options.quantised_from) analysis.dependencies.push_back(file);
  for (const model::ValueInfo& input : model.graph.inputs) {
    if (!options.constants.contains(input.name)) analysis.input_names.push_back(input.name);
  }
  for (const model::ValueInfo& output : model.graph.outputs) analysis.output_names.push_back(output.name);
}

Result<Done> cut_out(const CompileOptions& options, graph::Graph& graph, Analysis& analysis) {
  if (options.cut.empty()) return Done{};
  if (const Result<Done> done = graph::cut(graph, options.cut, options.model_path); !done) return done.faults();
  analysis.input_names.clear();
  for (graph::ValueId id : graph.inputs) analysis.input_names.push_back(graph[id].name);
  analysis.output_names = {graph[graph.outputs[0]].name};
  return Done{};
}

// `largest`: the graph at the largest of several sizes, whose constants this one reads.
Result<graph::Graph> pass(const CompileOptions& options, const model::GraphDef& model, graph::Graph graph,
                          const graph::Graph* largest) {
  // Kernels over vectors of floats have no other weights.
  passes::ModelForms forms;
  forms.codes = !ops::vector_form_of(options.target, DType::float32).form.starts_with('v');
  if (forms.codes) forms.halves = cast_from_halves(model);
  Result<graph::Graph> passed =
      passes::compress_weights(passes::run_passes(std::move(graph), pass_options(options)), options.weight_types, forms,
                               options.widen_weights, options.model_path);
  if (!passed) return passed;
  if (largest != nullptr) *passed = passes::read_corners(std::move(*passed), *largest);
  if (options.weights == WeightForm::stream || options.weights_in_pieces)
    *passed = passes::split_weights(std::move(*passed), options.weights_piece.value_or(options.weights_buffer / 2));
  return passed;
}

}  // namespace

namespace {

// Kernels read their scratch and drivers their state as words of 32 bits; elements may be wider.
int64_t least_alignment(const program::Program& program) {
  int64_t bytes = 4;
  for (const program::Tensor& tensor : program.tensors) bytes = std::max(bytes, tensor.element_bytes());
  return bytes;
}

}  // namespace

Result<Lowered> make_program(const CompileOptions& options, const model::Model& loaded, const Lowered* largest,
                             bool alike) {
  const model::Model* model = &loaded;
  std::optional<model::Model> changed;
  std::vector<History> histories;
  const bool states = options.states_by_name || !options.states.empty();
  if (options.histories || options.time_steps || states) model = &changed.emplace(loaded);
  if (options.histories) {
    Result<std::vector<History>> taken = take_histories(options, *changed);
    if (!taken) return taken.faults();
    histories = std::move(*taken);
  }
  if (options.time_steps) set_length(changed->graph, *options.time_steps);
  Result<std::map<std::string, Constant>> constants = load_constants(options);
  if (!constants) return constants.faults();
  const Result<std::map<std::string, Constant>> first = first_values(options, states ? &changed->graph : nullptr);
  if (!first) return first.faults();
  Result<graph::Built> built = graph::build(*model, {options.dims,
                                                     std::move(*constants),
                                                     options.arena_only,
                                                     {},
                                                     alike ? largest->grown : std::set<std::string>(),
                                                     !options.left_out.contains(kFoldFloats)});
  if (!built) return built.faults();

  Lowered lowered;
  Analysis& analysis = lowered.analysis;
  describe(options, *model, *built, analysis);
  analysis.histories = std::move(histories);
  if (const Result<Done> done = cut_out(options, built->graph, analysis); !done) return done.faults();
  const auto nodes = static_cast<int64_t>(built->graph.nodes.size());
  const AtWork fusing({.what = "fusing", .count = nodes, .unit = "nodes"});
  const Diagnostics differences = ops::onnxruntime_differences(built->graph, options.model_path);
  analysis.warnings.insert(analysis.warnings.end(), differences.begin(), differences.end());
  analysis.output_accuracy = graph::output_accuracy(built->graph);
  Result<graph::Graph> passed =
      pass(options, model->graph, std::move(built->graph), largest != nullptr ? &largest->analysis.graph : nullptr);
  if (!passed) return passed.faults();
  analysis.graph = std::move(*passed);
  if (largest != nullptr) give_the_same_room(largest->analysis.graph, analysis.graph);
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
                 input_rows,
                 options.weights == WeightForm::packed,
                 !options.sizes_only};
  lowered.first = *first;
  lowered.grown = std::move(built->grown);
  Result<program::Program> program = program_of(options, lowered, analysis.warnings);
  if (!program) return program.faults();
  analysis.program = std::move(*program);
  for (const program::KeptState& kept : analysis.program.kept) std::erase(analysis.input_names, kept.in);
  take_positions(analysis.program.output_positions, analysis.output_names);
  take_positions(analysis.program.output_positions, analysis.output_accuracy);
  analysis.options.alignment = std::max(options.alignment, least_alignment(analysis.program));
  return lowered;
}

}  // namespace tarn
