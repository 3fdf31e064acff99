#include "state_histories.h"

#include <algorithm>

#include "graph/build.h"
#include "program/pair_states.h"
#include "support/text.h"

namespace tarn {

namespace {

using graph::Graph;
using graph::ValueId;

std::optional<size_t> place_of(const std::vector<model::ValueInfo>& ports, const std::string& name) {
  const auto at = std::find_if(ports.begin(), ports.end(), [&](const auto& port) { return port.name == name; });
  if (at == ports.end()) return {};
  return static_cast<size_t>(at - ports.begin());
}

// The pairs that options name, and with `auto` those that go by their names.
std::vector<std::pair<std::string, std::string>> pairs_of(const CompileOptions& options, const model::GraphDef& model,
                                                          const Graph& graph) {
  std::vector<std::pair<std::string, std::string>> pairs = options.states;
  if (!options.states_by_name) return pairs;
  program::Program ports;
  const auto add = [&](ValueId id, const std::string& name, program::Kind kind) {
    program::Tensor tensor;
    tensor.name = name;
    tensor.type = graph[id].type;
    tensor.kind = kind;
    ports.tensors.push_back(std::move(tensor));
    return program::TensorId(ports.tensors.size() - 1);
  };
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    ports.inputs.push_back(add(graph.inputs[i], model.inputs[i].name, program::Kind::input));
    ports.input_names.push_back(model.inputs[i].name);
  }
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    ports.outputs.push_back(add(graph.outputs[i], model.outputs[i].name, program::Kind::output));
    ports.output_names.push_back(model.outputs[i].name);
  }
  const auto found = program::pair_states(ports, pairs).pairs;
  pairs.insert(pairs.end(), found.begin(), found.end());
  return pairs;
}

std::vector<int64_t> numbers_of(const Graph& graph, const graph::Node& node, size_t input, const char* attribute) {
  if (node.has(attribute)) return node.integers(attribute);
  const Constant* c = node.has_input(input) ? graph.constant(node.inputs[input]) : nullptr;
  return c && !c->is_absent() ? c->integers() : std::vector<int64_t>{};
}

struct Window {
  ValueId joined;
  int64_t axis = 0, rank = 0, kept = 0, added = 0;
};

// The state under Concat and Slice; why it is none.
class WindowOfSignal {
 public:
  explicit WindowOfSignal(const Graph& graph) : graph_(graph), uses_(graph::find_uses(graph)) {}

  std::string find(ValueId in, ValueId out, Window& window) const {
    const auto& readers = uses_.readers[in.pos()];
    if (readers.size() != 1 || uses_.is_output[in.pos()]) return "more than one node reads it";
    const graph::Node& concat = graph_.nodes[readers[0]];
    if (!concat.is("Concat") || concat.inputs.size() != 2 || concat.inputs[0] != in)
      return cat("it is read by ", concat.op, ", not put in front of a signal by Concat");
    window.joined = concat.outputs[0];
    window.rank = graph_.shape(in).rank();
    window.axis = concat.integer("axis", 0);
    if (window.axis < 0) window.axis += window.rank;
    if (window.rank < 3 || graph_.constant(concat.inputs[1])) return "what is behind it is no signal";
    window.kept = graph_.shape(in)[static_cast<int>(window.axis)];
    window.added = graph_.shape(concat.inputs[1])[static_cast<int>(window.axis)];
    const auto made = uses_.producer[out.pos()];
    if (!made || !uses_.readers[out.pos()].empty() || !takes_last(graph_.nodes[*made], window))
      return "the next one is not just the last steps of both (Slice)";
    return "";
  }

 private:
  bool takes_last(const graph::Node& slice, const Window& window) const {
    if (!slice.is("Slice") || slice.inputs[0] != window.joined) return false;
    const std::vector<int64_t> starts = numbers_of(graph_, slice, 1, "starts"),
                               ends = numbers_of(graph_, slice, 2, "ends"),
                               steps = numbers_of(graph_, slice, 4, "steps");
    std::vector<int64_t> axes = numbers_of(graph_, slice, 3, "axes");
    if (axes.empty() && window.axis == 0) axes = {0};
    if (axes.size() != 1 || starts.size() != 1 || ends.size() != 1) return false;
    const int64_t all = window.kept + window.added;
    if (axes[0] != window.axis && axes[0] + window.rank != window.axis) return false;
    if (!steps.empty() && steps != std::vector<int64_t>{1}) return false;
    return (starts[0] == window.added || starts[0] == -window.kept) && ends[0] >= all;
  }

  const Graph& graph_;
  const graph::Uses uses_;
};

// Names that are none or name an input twice, and pairs of two types: all of them, as of other states.
Diagnostics wrong_pairs(const CompileOptions& options, const model::GraphDef& model, const Graph& graph,
                        const std::vector<std::pair<std::string, std::string>>& pairs) {
  Diagnostics faults;
  const auto refuse = [&](const std::string& tensor, const std::string& what) {
    faults.push_back({"E209",
                      {.file = options.model_path, .tensor = tensor},
                      what,
                      "--state OUT=IN takes an output and an input of the model, of one type and shape"});
  };
  std::map<std::string, std::string> taken;  // output by input
  for (const auto& [out, in] : pairs) {
    const std::optional<size_t> i = place_of(model.inputs, in), o = place_of(model.outputs, out);
    if (!o) refuse(out, "the model has no output of this name");
    if (!i) refuse(in, "the model has no input of this name");
    if (!i || !o) continue;
    const auto [before, first] = taken.emplace(in, out);
    if (!first)
      refuse(in, cat("it is the state of '", before->second, "' already, and cannot be that of '", out, "' too"));
    const TensorType &from = graph[graph.outputs[*o]].type, &to = graph[graph.inputs[*i]].type;
    if (from != to) refuse(out, cat("it is ", to_string(from), ", but '", in, "' is ", to_string(to)));
  }
  return faults;
}

// Concat becomes Pad.
bool pad_in_front(model::Model& model, const std::string& joined, const std::string& in, const Window& window) {
  for (model::NodeDef& node : model.graph.nodes) {
    if (node.op != "Concat" || node.outputs.size() != 1 || node.outputs[0] != joined || node.inputs.size() != 2)
      continue;
    std::vector<int64_t> pads(static_cast<size_t>(2 * window.rank), 0);
    pads[static_cast<size_t>(window.axis)] = window.kept;
    node.op = "Pad";
    node.attributes.clear();
    node.inputs.erase(node.inputs.begin());
    const auto opset = model.opsets.find("");
    constexpr int kPadsAreAnInput = 11;
    if (opset != model.opsets.end() && opset->second < kPadsAreAnInput) {
      node.attributes["pads"] = pads;
      return true;
    }
    node.inputs.push_back(in + "_history");
    model.graph.initializers.push_back(
        {in + "_history", Constant::ints(DType::int64, Shape{2 * window.rank}, pads), false});
    return true;
  }
  return false;
}

// So many steps of a signal that had one; [N, C, steps] alone.
void lengthen(model::GraphDef& graph, int64_t steps) {
  for (model::ValueInfo& input : graph.inputs) {
    if (input.type.dims && input.type.dims->size() == 3) (*input.type.dims)[2].value = steps;
  }
  graph.value_info.clear();
  for (model::ValueInfo& output : graph.outputs) output.type.dims.reset();
}

}  // namespace

Result<std::vector<History>> take_histories(const CompileOptions& options, model::Model& model) {
  Result<graph::Built> built = graph::build(model, {.dims = options.dims, .opaque_operators = options.arena_only});
  if (!built) return built.faults();
  const Graph& graph = built->graph;
  const WindowOfSignal windows(graph);
  std::vector<History> taken;
  Diagnostics faults;
  bool one_step = false;
  const model::GraphDef before = model.graph;
  const auto pairs = pairs_of(options, before, graph);
  if (Diagnostics wrong = wrong_pairs(options, before, graph, pairs); !wrong.empty()) return wrong;
  for (const auto& [out, in] : pairs) {
    const std::optional<size_t> i = place_of(before.inputs, in), o = place_of(before.outputs, out);
    Window window;
    std::string why = windows.find(graph.inputs[*i], graph.outputs[*o], window);
    if (why.empty() && !pad_in_front(model, graph[window.joined].name, in, window))
      why = "no Concat of the model makes it";
    if (!why.empty()) {
      faults.push_back({"E312",
                        {.file = options.model_path, .tensor = in},
                        "with --stream time a state is a history of lines, and this is none: " + why,
                        "a history: joined = Concat(state, signal), next state = Slice(joined), its last steps"});
      continue;
    }
    taken.push_back({out, in, window.kept});
    one_step = one_step || (window.added == 1 && window.axis == 2);
    std::erase_if(model.graph.inputs, [&name = in](const auto& port) { return port.name == name; });
    std::erase_if(model.graph.outputs, [&name = out](const auto& port) { return port.name == name; });
  }
  if (!faults.empty()) return faults;
  if (one_step) lengthen(model.graph, 2);
  return taken;
}

CompileOptions without_histories(CompileOptions options, const std::vector<History>& taken) {
  if (!options.histories || taken.empty()) return options;
  std::erase_if(options.states, [&](const auto& pair) {
    return std::any_of(taken.begin(), taken.end(), [&](const History& h) { return h.in == pair.second; });
  });
  options.states_by_name = false;
  return options;
}

}  // namespace tarn
