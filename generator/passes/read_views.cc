// Attention takes steps for all its operands: queries, keys and values that Transpose, Reshape, Expand or Slice
// rearrange are read where they lie, and the result is written where it is wanted. The rearranged copies disappear.
#include <algorithm>

#include "ops/attention.h"
#include "passes/passes.h"
#include "passes/strided_view.h"

namespace tarn::passes {

namespace {

using graph::Node;
using ops::Steps;

constexpr size_t kQ = 0, kK = 1, kV = 2;

// The steps of a walk over an operand, in what the operand is a view of.
std::optional<Steps> steps_in(const View& view, const Steps& steps, const Steps& extents) {
  Steps result{};
  for (size_t i = 0; i < 4; ++i) {
    const auto step = step_there(view, steps[i], extents[i]);
    if (!step) return {};
    result[i] = *step;
  }
  return result;
}

// Steps of keys or values whose heads are repeated; `group` is how many times each head stands there.
struct Shared {
  Steps steps{};
  int64_t group = 1;
};

std::optional<Shared> shared_steps(const View& view, const Steps& steps, const Steps& extents) {
  Shared result;
  for (size_t i = 0; i < 4; ++i) {
    const auto digits = digits_of_walk(view, steps[i], extents[i]);
    if (!digits || digits->size() > (i == 1 ? 2u : 1u)) return {};
    if (digits->empty()) continue;
    if (i == 1 && digits->back().there == 0) {
      result.group = digits->back().extent;
      if (digits->size() == 2) result.steps[i] = digits->front().there;
      continue;
    }
    if (digits->size() == 2) return {};
    result.steps[i] = digits->front().there;
  }
  return result;
}

bool read_queries(const Graph& graph, const graph::Uses& uses, size_t at, Node& node, ops::Attention& a) {
  if (a.first[kQ] != 0) return false;
  const std::vector<View> views = sources_of(graph, uses, node.inputs[kQ], at);
  for (size_t i = views.size(); i-- > 0;) {
    const auto steps = steps_in(views[i], a.q, {a.batch, a.heads, a.rows, a.size});
    if (!steps || graph.constant(views[i].other)) continue;
    node.inputs[kQ] = views[i].other;
    a.q = *steps;
    a.first[kQ] = views[i].first;
    return true;
  }
  return false;
}

// Keys and values share their heads alike, so both move to views with the same number of repeats.
bool read_keys_and_values(const Graph& graph, const graph::Uses& uses, size_t at, Node& node, ops::Attention& a) {
  if (a.first[kK] != 0 || a.first[kV] != 0) return false;
  const int64_t shared = a.heads / a.group;
  const Steps k_extents{a.batch, shared, a.keys, a.size}, v_extents{a.batch, shared, a.keys, a.values};
  struct ReadView {
    ValueId value;
    Shared shared;
    int64_t first = 0;
  };
  auto choices = [&](size_t input, const Steps& steps, const Steps& extents) {
    std::vector<ReadView> list{{node.inputs[input], {steps, 1}, 0}};
    for (const View& view : sources_of(graph, uses, node.inputs[input], at)) {
      if (const auto found = shared_steps(view, steps, extents)) list.push_back({view.other, *found, view.first});
    }
    return list;
  };
  const std::vector<ReadView> keys = choices(kK, a.k, k_extents), values = choices(kV, a.v, v_extents);
  // The furthest pair.
  for (size_t i = keys.size(); i-- > 0;) {
    for (size_t j = values.size(); j-- > 0;) {
      if (keys[i].shared.group != values[j].shared.group) continue;
      node.inputs[kK] = keys[i].value;
      node.inputs[kV] = values[j].value;
      a.k = keys[i].shared.steps;
      a.v = values[j].shared.steps;
      a.first[kK] = keys[i].first;
      a.first[kV] = values[j].first;
      a.group *= keys[i].shared.group;
      return i + j > 0;
    }
  }
  return false;
}

// The nodes that the result need no longer go through.
std::vector<size_t> write_result(const Graph& graph, const graph::Uses& uses, Node& node, ops::Attention& a) {
  const std::vector<View> views = destinations_of(graph, uses, node.outputs[0]);
  for (size_t i = views.size(); i-- > 0;) {
    const auto steps = steps_in(views[i], a.y, {a.batch, a.heads, a.rows, a.values});
    if (!steps) continue;
    for (size_t at : views[i].nodes) {
      const Node& passed = graph.nodes[at];
      node.origins.insert(node.origins.end(), passed.origins.begin(), passed.origins.end());
      node.origin_names.insert(node.origin_names.end(), passed.origin_names.begin(), passed.origin_names.end());
    }
    node.outputs[0] = views[i].other;
    a.y = *steps;
    return views[i].nodes;
  }
  return {};
}

}  // namespace

Graph read_views(Graph graph) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!graph.nodes[i].is("Attention", "tarn")) continue;
    const graph::Uses uses = graph::find_uses(graph);
    Node node = graph.nodes[i];
    ops::Attention a = ops::read_attention(node);
    if (a.batch * a.heads * a.rows * a.keys * a.size * a.values == 0) continue;
    bool changed = read_queries(graph, uses, i, node, a);
    changed = read_keys_and_values(graph, uses, i, node, a) || changed;
    std::vector<size_t> passed = write_result(graph, uses, node, a);
    if (!changed && passed.empty()) continue;
    ops::write_attention(node, a);
    graph.nodes[i] = std::move(node);
    graph::remove_nodes(graph, std::move(passed));
    i = static_cast<size_t>(-1);  // positions have changed; what is done does not change again
  }
  return graph;
}

}  // namespace tarn::passes
