// y = layer(x) + other: the kernel adds the other operand just before it writes, so that the sum needs no step and no
// memory of its own.
#include <algorithm>
#include <iterator>

#include "passes/passes.h"

namespace tarn::passes {

using graph::Node;
using graph::ValueId;

namespace {

// The order of nodes when some have to wait for others: each follows directly what it waits for, the one that came to
// wait last first.
class Waiting {
 public:
  explicit Waiting(size_t nodes) : followers_(nodes), waits_for_(nodes) {}

  // From now on `node` stands behind `before`; where it does already it stays.
  void wait(size_t node, size_t before) {
    size_t place = before;
    while (waits_for_[place]) place = *waits_for_[place];
    if (node > place) return;
    waits_for_[node] = before;
    followers_[before].push_back(node);
  }

  std::vector<Node> in_order(std::vector<Node> nodes) const {
    std::vector<Node> ordered;
    std::vector<size_t> open;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!waits_for_[i]) open.push_back(i);
      while (!open.empty()) {
        const size_t next = open.back();
        open.pop_back();
        ordered.push_back(std::move(nodes[next]));
        std::copy(followers_[next].begin(), followers_[next].end(), std::back_inserter(open));
      }
    }
    return ordered;
  }

 private:
  std::vector<std::vector<size_t>> followers_;  // by position, in the order in which they came to wait
  std::vector<std::optional<size_t>> waits_for_;
};

// The layer takes the sum's second operand and result over.
void take_in(Node& layer, Node& add, ValueId other) {
  layer.inputs.resize(4);
  layer.inputs[3] = other;
  std::swap(layer.outputs[0], add.outputs[0]);
  layer.origins.insert(layer.origins.end(), add.origins.begin(), add.origins.end());
  layer.origin_names.insert(layer.origin_names.end(), add.origin_names.begin(), add.origin_names.end());
  add.inputs.clear();
  add.op = "Gone";
}

}  // namespace

Graph fuse_residual(Graph graph) {
  // Of what is asked below, a sum that goes changes only who makes its result.
  graph::Uses uses = graph::find_uses(graph);
  Waiting waiting(graph.nodes.size());
  bool changed = false;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const bool sum = graph.nodes[i].is("Add") || graph.nodes[i].is("Sum");
    if (!sum || graph.nodes[i].inputs.size() != 2 || graph.nodes[i].integer("broadcast", 0) != 0) continue;
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
    uses.producer[graph.nodes[i].outputs[0].pos()] = *chosen;
    take_in(graph.nodes[*chosen], graph.nodes[i], other);
    if (const auto& before = uses.producer[other.pos()]) waiting.wait(*chosen, *before);
    changed = true;
  }
  if (!changed) return graph;
  graph.nodes = waiting.in_order(std::move(graph.nodes));
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
