#include <algorithm>

#include "graph/replacements.h"
#include "ops/movement.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

// What is taken from one end of an axis may be added at the other: the size alone does not tell.
bool pads_nothing(const Graph& graph, const Node& node) {
  const auto is_zero = [](int64_t pad) { return pad == 0; };
  if (node.has("pads")) {
    const std::vector<int64_t> pads = node.integers("pads");
    return std::all_of(pads.begin(), pads.end(), is_zero);
  }
  const Constant* pads = node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
  if (!pads || pads->is_absent()) return false;
  const std::vector<int64_t> values = pads->integers();
  return std::all_of(values.begin(), values.end(), is_zero);
}

bool is_identity_node(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || !node.has_input(0) || !node.has_output(0)) return false;
  const TensorType &x = graph[node.inputs[0]].type, &y = graph[node.outputs[0]].type;
  if (node.op == "Identity") return true;
  // Only the mask would tell Dropout from Identity.
  if (node.op == "Dropout") return !ops::may_drop(node, [&](size_t i) { return graph.constant(node.inputs[i]); });
  // What decides sizes at run time is checked there.
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (node.inputs[i] && !graph.constant(node.inputs[i]) && graph[node.inputs[0]].runtime_dims.empty() &&
        (node.op == "Reshape" || node.op == "Squeeze" || node.op == "Unsqueeze" || node.op == "Expand" ||
         node.op == "Tile")) {
      return false;
    }
  }
  if (x != y) return false;
  if (node.op == "Reshape" || node.op == "Flatten" || node.op == "Squeeze" || node.op == "Unsqueeze" ||
      node.op == "Expand" || node.op == "Cast" || node.op == "CastLike") {
    return true;
  }
  if (node.op == "Tile") return true;
  if (node.op == "Pad") return pads_nothing(graph, node);
  if ((node.op == "Concat" || node.op == "Sum" || node.op == "Max" || node.op == "Min" || node.op == "Mean") &&
      node.inputs.size() == 1) {
    return true;
  }
  if (node.op == "Transpose") {
    const std::vector<int64_t> perm = node.integers("perm");
    for (size_t i = 0; i < perm.size(); ++i) {
      if (perm[i] != static_cast<int64_t>(i)) return false;
    }
    return !perm.empty();
  }
  return false;
}

}  // namespace

Graph remove_identities(Graph graph) {
  // Whether anybody reads a value does not change here: who read the copy reads the original.
  graph::Uses uses = graph::find_uses(graph);
  graph::Replacements replacements(graph);
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs) id = replacements.now(id);
    if (!is_identity_node(graph, node)) continue;
    const ValueId x = node.inputs[0], y = node.outputs[0];
    const bool mask_used = node.outputs.size() > 1 && node.outputs[1] &&
                           (!uses.readers[node.outputs[1].pos()].empty() || uses.is_output[node.outputs[1].pos()]);
    if (mask_used) continue;
    // A graph output needs memory of its own: an input or constant that is passed straight through is copied.
    const bool made_here = uses.producer[x.pos()].has_value();
    if (uses.is_output[y.pos()]) {
      if (!made_here || uses.is_output[x.pos()]) continue;
      // The name the model gave its output stays.
      graph[x].name = graph[y].name;
      uses.is_output[x.pos()] = true;
    }
    replacements.replace(y, x);
  }
  replacements.apply(graph);
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
