// Relu and Clip with known bounds become the bounds that a layer's kernel clamps to before it writes.
#include <cmath>
#include <limits>

#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

struct Bounds {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
};

std::optional<Bounds> bounds_of(const Graph& graph, const Node& node) {
  if (!node.domain.empty()) return {};
  Bounds b;
  if (node.op == "Relu") {
    b.lo = 0;
    return b;
  }
  if (node.op != "Clip") return {};
  for (size_t i = 1; i < 3; ++i) {
    double& bound = i == 1 ? b.lo : b.hi;
    const char* attribute = i == 1 ? "min" : "max";
    if (node.has(attribute)) bound = node.real(attribute, bound);
    if (!node.has_input(i)) continue;
    const Constant* c = graph.constant(node.inputs[i]);
    if (!c || c->is_absent() || c->count() != 1) return {};
    bound = c->real(0);
  }
  if (std::isnan(b.lo) || std::isnan(b.hi)) return {};
  return b;
}

}  // namespace

Graph fuse_clamp(Graph graph) {
  const graph::Uses uses = graph::find_uses(graph);
  // A chain of clamps ends up in the same layer: `producer` follows values that change hands.
  std::vector<std::optional<size_t>> producer = uses.producer;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    const std::optional<Bounds> bounds = bounds_of(graph, node);
    if (!bounds || !node.inputs[0]) continue;
    const ValueId x = node.inputs[0];
    if (!producer[x.pos()] || uses.readers[x.pos()].size() != 1 || uses.is_output[x.pos()]) continue;
    Node& layer = graph.nodes[*producer[x.pos()]];
    const bool ours = layer.is("Affine", "tarn") || layer.is("DynamicConv", "tarn") || layer.is("DynamicDense", "tarn");
    if (!is_layer(graph, layer) && !ours) continue;
    // clamp(clamp(v, a, b), c, d) is one clamp: the inner bounds, clamped by the outer ones.
    Bounds inner;
    inner.lo = layer.real("clamp_lo", inner.lo);
    inner.hi = layer.real("clamp_hi", inner.hi);
    auto clamp = [&](double v) {
      v = v < bounds->lo ? bounds->lo : v;
      return v > bounds->hi ? bounds->hi : v;
    };
    layer.attributes["clamp_lo"] = static_cast<float>(clamp(inner.lo));
    layer.attributes["clamp_hi"] = static_cast<float>(clamp(inner.hi));
    layer.origins.insert(layer.origins.end(), node.origins.begin(), node.origins.end());
    layer.origin_names.insert(layer.origin_names.end(), node.origin_names.begin(), node.origin_names.end());
    std::swap(layer.outputs[0], node.outputs[0]);
    producer[layer.outputs[0].pos()] = producer[x.pos()];
    node.inputs.clear();
    node.op = "Gone";
  }
  graph::sort_nodes(graph);
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
