// Quantised constants that no integer layer has taken become floats: kept in read-only memory, they cost no RAM.
#include "ops/quantize.h"
#include "passes/passes.h"

namespace tarn::passes {

Graph fold_dequantize(Graph graph) {
  for (graph::Node& node : graph.nodes) {
    if (node.op != "DequantizeLinear" || !node.has_input(0) || !node.has_input(1) || !node.has_output(0)) continue;
    const Constant *x = graph.constant(node.inputs[0]), *scale = graph.constant(node.inputs[1]);
    const Constant* zero = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
    if (!x || !scale || (node.has_input(2) && !zero)) continue;
    graph::Value& value = graph[node.outputs[0]];
    auto result = ops::dequantized(node, *x, *scale, zero, value.type);
    if (!result) continue;
    value.constant = std::make_shared<const Constant>(std::move(*result));
    node.outputs.clear();
  }
  std::erase_if(graph.nodes,
                [](const graph::Node& node) { return node.op == "DequantizeLinear" && node.outputs.empty(); });
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
