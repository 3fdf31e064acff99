// y = layer(x) + other: the kernel adds the other operand just before it writes, so that the sum needs no step and no
// memory of its own.
#include "passes/passes.h"

namespace tarn::passes {

using graph::Node;
using graph::ValueId;

Graph fuse_residual(Graph graph) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const bool sum = graph.nodes[i].is("Add") || graph.nodes[i].is("Sum");
    if (!sum || graph.nodes[i].inputs.size() != 2 || graph.nodes[i].integer("broadcast", 0) != 0) continue;
    const graph::Uses uses = graph::find_uses(graph);
    std::optional<size_t> chosen;
    ValueId other;
    for (size_t side = 0; side < 2; ++side) {
      const ValueId made = graph.nodes[i].inputs[side], rest = graph.nodes[i].inputs[1 - side];
      const auto& producer = uses.producer[made.pos()];
      if (!producer || uses.readers[made.pos()].size() != 1 || uses.is_output[made.pos()] || made == rest) continue;
      const Node& layer = graph.nodes[*producer];
      if (!is_layer(graph, layer) || layer.has_input(3) || layer.has("clamp_lo") || graph.constant(rest)) continue;
      if (layer.op == "ConvTranspose" || graph.shape(made) != graph.shape(rest)) continue;
      if (layer.op == "Conv" && !layer.channels_last) continue;
      // Of two layers the later one takes the other's result in: then nothing has to wait.
      if (!chosen || *producer > *chosen) {
        chosen = *producer;
        other = rest;
      }
    }
    if (!chosen) continue;
    Node& layer = graph.nodes[*chosen];
    Node& add = graph.nodes[i];
    layer.inputs.resize(4);
    layer.inputs[3] = other;
    std::swap(layer.outputs[0], add.outputs[0]);
    layer.origins.insert(layer.origins.end(), add.origins.begin(), add.origins.end());
    layer.origin_names.insert(layer.origin_names.end(), add.origin_names.begin(), add.origin_names.end());
    add.inputs.clear();
    add.op = "Gone";
    graph::sort_nodes(graph);
    graph::remove_dead(graph);
    i = 0;  // positions have changed
  }
  return graph;
}

}  // namespace tarn::passes
