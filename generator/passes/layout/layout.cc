// Spatial operators work channels last. Each gets a Transpose before and after it; then transposes sink through the
// operators that do not mind, meet their inverses and disappear. What is left stands where the graph's own inputs,
// outputs or reshapes force it; where only axes of one element move it costs nothing (see ops/transpose.cc).
#include <algorithm>
#include <utility>

#include "ops/op.h"
#include "passes/layout/dense_rows.h"
#include "passes/layout/sink.h"
#include "passes/layout/swap_image_axes.h"
#include "passes/layout/transposes.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

// Gathering one known position is a Slice, which may change its axis, and need no copy.
void slice_for_gather(Graph& graph) {
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    const Constant* index = node.is("Gather") && node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
    if (!index || index->is_absent() || index->count() != 1 || index->shape().rank() > 1 ||
        !graph[node.inputs[0]].runtime_dims.empty()) {
      nodes.push_back(std::move(node));
      continue;
    }
    const TensorType type = graph[node.inputs[0]].type;
    const auto axis = normalise_axis(node.integer("axis", 0), type.shape.rank());
    if (!axis) {
      nodes.push_back(std::move(node));
      continue;
    }
    const int64_t size = type.shape[*axis], given = index->integer(0), at = given < 0 ? given + size : given;
    if (at < 0 || at >= size) {
      nodes.push_back(std::move(node));
      continue;
    }
    TensorType part = type;
    part.shape[*axis] = 1;
    Node slice = node;
    slice.op = "Slice";
    slice.version = 1;
    slice.inputs.resize(1);
    slice.outputs = {graph.add_value(graph[node.outputs[0]].name + "_kept", part)};
    slice.attributes.clear();
    slice.attributes["starts"] = std::vector<int64_t>{at};
    slice.attributes["ends"] = std::vector<int64_t>{at + 1};
    slice.attributes["axes"] = std::vector<int64_t>{*axis};
    Node reshape = std::move(node);
    make_reshape(graph, reshape, slice.outputs[0]);
    nodes.push_back(std::move(slice));
    nodes.push_back(std::move(reshape));
  }
  graph.nodes = std::move(nodes);
}

void wrap_spatial(Graph& graph) {
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    const ops::OperatorEntry* entry = ops::find_entry(node.domain, node.op);
    const bool spatial = entry && entry->layout == ops::Layout::spatial && node.has_input(0) && !node.channels_last;
    const int rank = spatial ? graph.shape(node.inputs[0]).rank() : 0;
    if (rank < 3) {
      nodes.push_back(std::move(node));
      continue;
    }
    const Perm last = channels_last(rank), first = inverse(last);
    node.channels_last = true;
    const ValueId x = permuted_value(graph, node.inputs[0], last);
    nodes.push_back(transpose_for(node, node.inputs[0], x, last));
    node.inputs[0] = x;
    std::vector<Node> after;
    for (ValueId& output : node.outputs) {
      if (!output || graph.shape(output).rank() != rank) continue;
      const ValueId y = permuted_value(graph, output, last);
      after.push_back(transpose_for(node, y, output, first));
      output = y;
    }
    nodes.push_back(std::move(node));
    for (Node& n : after) nodes.push_back(std::move(n));
  }
  graph.nodes = std::move(nodes);
}

// Transposes sink until none can, and those that meet their inverses disappear.
void sink_all(Graph& graph, const PassOptions& options) {
  do {
    tidy_transposes(graph);
  } while (options.runs("layout.sink") && sink(graph));
  tidy_transposes(graph);
}

// N, C, H, W -> N, W, H, C: lines are columns.
const Perm kColumnsFirst{0, 3, 2, 1};

ValueId handed_over(Graph& graph, ValueId port, const Perm& last) {
  const ValueId handed = graph.add_value(graph[port].name, {graph.dtype(port), permuted(graph.shape(port), last)});
  graph[handed].codes = graph[port].codes;
  graph[handed].handed_over_last = true;
  return handed;
}

// Everything that reads the input as the model has it reads it through a transpose; most of them cancel.
void hand_over_input(Graph& graph, size_t port, const Perm& last, const PassOptions& options) {
  const ValueId input = graph.inputs[port];
  const ValueId handed = handed_over(graph, input, last);
  graph.nodes.insert(graph.nodes.begin(), transpose(handed, input, inverse(last)));
  graph.inputs[port] = handed;
  sink_all(graph, options);
}

void hand_over_output(Graph& graph, size_t port, const Perm& last, const PassOptions&) {
  const ValueId output = graph.outputs[port];
  const auto codes = graph[output].codes;
  const ValueId handed = handed_over(graph, output, last);
  graph.nodes.push_back(transpose(output, handed, last));
  graph.outputs[port] = handed;
  tidy_transposes(graph);
  // What made it in that order may have taken its place.
  graph[graph.outputs[port]].handed_over_last = true;
  graph[graph.outputs[port]].codes = codes;
}

// Those that move something, then those that do not.
std::pair<int64_t, int64_t> count_transposes(const Graph& graph) {
  std::pair<int64_t, int64_t> count;
  for (const Node& node : graph.nodes) {
    const std::optional<Perm> perm = transpose_of(node);
    if (perm) ++(moves_nothing(graph.shape(node.inputs[0]), *perm) ? count.second : count.first);
  }
  return count;
}

// `always`: whatever it costs; else when it saves transposes.
void hand_over(Graph& graph, size_t port, const Perm& last, bool always, const PassOptions& options,
               void (*change)(Graph&, size_t, const Perm&, const PassOptions&)) {
  Graph changed = graph;
  change(changed, port, last, options);
  if (always || count_transposes(changed) < count_transposes(graph)) graph = std::move(changed);
}

// Whether the model itself has the port channels last: a spatial operator has it so, with nothing between but what
// leaves the axes where they are.
bool is_channels_last(const Graph& graph, ValueId port, bool input) {
  const graph::Uses uses = graph::find_uses(graph);
  std::vector<ValueId> waiting{port};
  std::vector<bool> seen(graph.values.size(), false);
  bool found = false;
  while (!waiting.empty()) {
    const ValueId id = waiting.back();
    waiting.pop_back();
    if (seen[id.pos()]) continue;
    seen[id.pos()] = true;
    const std::span<const size_t> readers = input ? uses.readers[id.pos()] : std::span<const size_t>();
    std::vector<size_t> nodes(readers.begin(), readers.end());
    if (!input && uses.producer[id.pos()]) nodes.push_back(*uses.producer[id.pos()]);
    for (const size_t n : nodes) {
      const Node& node = graph.nodes[n];
      if (node.channels_last && (!input || node.inputs[0] == id)) found = true;
      const ops::OperatorEntry* entry = ops::find_entry(node.domain, node.op);
      if (transpose_of(node)) return false;
      if (!entry) continue;
      const std::vector<ValueId>& next = input ? node.outputs : node.inputs;
      for (const ValueId other : next) {
        if (!other || graph.constant(other)) continue;
        const bool same = entry->layout == ops::Layout::elementwise && graph.shape(other) == graph.shape(id);
        // A Pad, a Slice, a Concat: other sizes, the same axes.
        const bool axes = entry->layout == ops::Layout::axes && graph.shape(other).rank() == graph.shape(id).rank();
        if (same || axes) waiting.push_back(other);
      }
    }
  }
  return found;
}

// Unless there is nothing to do: then the port is not marked as handed over last.
void hand_over_always(Graph& graph, size_t port, bool input, const PassOptions& options) {
  const ValueId id = input ? graph.inputs[port] : graph.outputs[port];
  if (is_channels_last(graph, id, input)) return;
  hand_over(graph, port, channels_last(graph.shape(id).rank()), true, options,
            input ? hand_over_input : hand_over_output);
}

// --input-layout nhwc, --output-layout nhwc: the firmware hands images over as the first layer wants them. By lines it
// must: a line of an image is pixels of channels, be it a row or a column.
void hand_over_channels_last(Graph& graph, const PassOptions& options) {
  for (size_t i = 0; i < graph.inputs.size() && (options.nhwc_inputs || options.line_inputs); ++i) {
    const int rank = graph.shape(graph.inputs[i]).rank();
    if (columns_handed_over(options, rank, true)) hand_over(graph, i, kColumnsFirst, false, options, hand_over_input);
    else if (rank >= 3 && options.nhwc_inputs) hand_over_always(graph, i, true, options);
    else if (rank >= 3) hand_over(graph, i, channels_last(rank), false, options, hand_over_input);
  }
  for (size_t i = 0; i < graph.outputs.size() && (options.nhwc_outputs || options.line_outputs); ++i) {
    const int rank = graph.shape(graph.outputs[i]).rank();
    if (columns_handed_over(options, rank, false)) hand_over(graph, i, kColumnsFirst, false, options, hand_over_output);
    else if (rank >= 3 && options.nhwc_outputs) hand_over_always(graph, i, false, options);
    else if (rank >= 3) hand_over(graph, i, channels_last(rank), false, options, hand_over_output);
  }
}

Graph lay_out(Graph graph, const PassOptions& options) {
  wrap_spatial(graph);
  sink_all(graph, options);
  hand_over_channels_last(graph, options);
  return graph;
}

int64_t count_handed_over(const Graph& graph) {
  const auto count = [&](const std::vector<ValueId>& ports) {
    return std::count_if(ports.begin(), ports.end(), [&](ValueId port) { return graph[port].handed_over_last; });
  };
  return count(graph.inputs) + count(graph.outputs);
}

// Images on their side; but where the network turns its input itself, the columns that come in are rows already.
Graph walked_by_columns(Graph graph, const PassOptions& options) {
  Graph upright = lay_out(graph, options);
  swap_image_axes(graph);
  Graph turned = lay_out(std::move(graph), options);
  const bool turns_itself = count_handed_over(upright) > count_handed_over(turned) &&
                            count_transposes(upright).first <= count_transposes(turned).first;
  return turns_itself ? upright : turned;
}

}  // namespace

bool columns_handed_over(const PassOptions& options, int rank, bool input) {
  return options.columns && rank == 4 && (input ? options.line_inputs : options.line_outputs);
}

std::vector<std::string> layout_parts() {
  return {"layout.sink", "layout.slice_for_gather", "layout.fold_into_dense", "layout.transpose_codes",
          "layout.transpose_inputs"};
}

Graph choose_layout(Graph graph, const PassOptions& options) {
  spell_out_permutations(graph);
  if (options.runs("layout.slice_for_gather")) slice_for_gather(graph);
  graph = options.columns ? walked_by_columns(std::move(graph), options) : lay_out(std::move(graph), options);
  if (options.runs("layout.fold_into_dense")) fold_into_dense(graph);
  tidy_transposes(graph);
  if (options.runs("layout.transpose_codes")) transpose_codes(graph);
  if (options.runs("layout.transpose_inputs")) transpose_inputs(graph);
  return graph;
}

}  // namespace tarn::passes
