// Transposes pass operators: elementwise ones, those whose axes can change, and reshapes that keep the axes apart.
#include "passes/layout/sink.h"

#include <algorithm>
#include <iterator>

#include "ops/op.h"
#include "passes/layout/transposes.h"

namespace tarn::passes {

namespace {

bool is_reshape(const Node& node) {
  return node.is("Reshape") || node.is("Flatten") || node.is("Squeeze") || node.is("Unsqueeze");
}

// Most nodes do not: that is soon told, and all uses need not be found for it.
bool follows_transpose(const Graph& graph, const Node& node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& before) {
    return before.is("Transpose") && before.outputs[0] &&
           std::find(node.inputs.begin(), node.inputs.end(), before.outputs[0]) != node.inputs.end();
  });
}

// A spatial operator stands further down, with nothing on the way that a transpose could not pass.
bool meets_spatial(const Graph& graph, ValueId from, const graph::Uses& uses) {
  std::vector<ValueId> open{from};
  std::vector<bool> seen(graph.values.size(), false);
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (seen[id.pos()]) continue;
    seen[id.pos()] = true;
    for (size_t reader : uses.readers[id.pos()]) {
      const Node& node = graph.nodes[reader];
      if (const auto perm = transpose_of(node)) {
        if (*perm == channels_last(static_cast<int>(perm->size()))) return true;
        continue;
      }
      const ops::Room* room = ops::find_room(node.domain, node.op);
      if (!room || (room->layout != ops::Layout::elementwise && room->layout != ops::Layout::axes)) continue;
      for (ValueId output : node.outputs) {
        if (output) open.push_back(output);
      }
    }
  }
  return false;
}

// Transpose, then Reshape, becomes Reshape, then Transpose, where the axes that the reshape joins still lie side by
// side before the transpose. Where they do not (channels are shuffled), they are first brought together by a Transpose
// of their own, if the one that comes out at the end will meet a spatial operator.
bool sink_through_reshape(Graph& graph, size_t i) {
  const graph::Uses uses = graph::find_uses(graph);
  const Node* before = transpose_before(graph, uses, graph.nodes[i].inputs[0]);
  if (!before) return false;
  const ValueId source = before->inputs[0], result = graph.nodes[i].outputs[0];
  if (!graph[source].runtime_dims.empty() || !graph[result].runtime_dims.empty() || graph.shape(result).count() == 0)
    return false;
  const Perm perm = *transpose_of(*before);
  const std::optional<ReshapeOrder> order = reshape_order(graph.shape(source), perm, graph.shape(result));
  if (!order) return false;
  const bool gathers = !moves_nothing(graph.shape(source), order->gather);
  if (is_identity(order->after)) {
    if (gathers) return false;
  } else if (gathers && (order->after != inverse(channels_last(graph.shape(result).rank())) ||
                         !meets_spatial(graph, result, uses))) {
    return false;
  }
  std::vector<Node> nodes;
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    if (k != i) {
      nodes.push_back(std::move(graph.nodes[k]));
      continue;
    }
    Node node = std::move(graph.nodes[k]);
    auto add_transpose = [&](ValueId from, ValueId to, const Perm& p) {
      nodes.push_back(transpose_for(node, from, to, p));
    };
    ValueId from = source;
    if (gathers) {
      from = permuted_value(graph, source, order->gather);
      add_transpose(source, from, order->gather);
    }
    const ValueId made = permuted_value(graph, result, inverse(order->after));
    Node reshape = node;
    reshape.outputs = {made};
    make_reshape(graph, reshape, from);
    nodes.push_back(std::move(reshape));
    add_transpose(made, result, order->after);
  }
  graph.nodes = std::move(nodes);
  return true;
}

// An operand that no transpose makes: constants are permuted, numbers stay, what moves nothing gets a free transpose.
bool adapt(Graph& graph, ValueId id, const Perm& back, int rank, bool elementwise, ValueId& out,
           std::vector<Node>& added) {
  const Shape shape = graph.shape(id);
  if (elementwise && shape.count() == 1 && shape.rank() <= 1) {
    out = id;
    return true;
  }
  Shape full = shape;
  while (elementwise && full.rank() < rank) full.dims.insert(full.dims.begin(), 1);
  if (full.rank() != rank) return false;
  if (const Constant* c = graph.constant(id)) {
    auto moved = permuted(*c, full, back);
    if (!moved) return false;
    out = graph.add_constant(graph[id].name, std::move(*moved));
    return true;
  }
  if (full != shape || !moves_nothing(full, back)) return false;
  out = permuted_value(graph, id, back);
  added.push_back(transpose(id, out, back));
  return true;
}

}  // namespace

bool sink(Graph& graph, size_t i) {
  if (!follows_transpose(graph, graph.nodes[i])) return false;
  if (is_reshape(graph.nodes[i])) return sink_through_reshape(graph, i);
  const ops::Room* room = ops::find_room(graph.nodes[i].domain, graph.nodes[i].op);
  if (!room || (room->layout != ops::Layout::elementwise && room->layout != ops::Layout::axes)) return false;
  const graph::Uses uses = graph::find_uses(graph);
  const bool elementwise = room->layout == ops::Layout::elementwise;
  Node node = graph.nodes[i];
  const size_t operands = elementwise || node.is("Concat") ? node.inputs.size() : 1;
  int rank = 0;
  for (ValueId id : node.outputs) {
    if (id) rank = std::max(rank, graph.shape(id).rank());
  }
  std::optional<Perm> perm;
  bool free = true;  // the transpose chosen moves nothing
  for (size_t k = 0; k < operands; ++k) {
    const Node* before = transpose_before(graph, uses, node.inputs[k]);
    if (!before) continue;
    const Perm p = *transpose_of(*before);
    if (elementwise && static_cast<int>(p.size()) != rank) continue;
    if (perm && !free) break;
    perm = p;
    free = moves_nothing(graph.shape(before->inputs[0]), p);
  }
  if (!perm) return false;
  const Perm back = inverse(*perm);

  std::vector<ValueId> inputs = node.inputs;
  std::vector<Node> added;
  for (size_t k = 0; k < operands; ++k) {
    const ValueId id = node.inputs[k];
    if (!id) continue;
    const Node* before = transpose_before(graph, uses, id);
    if (before && *transpose_of(*before) == *perm) {
      inputs[k] = before->inputs[0];
    } else if (!adapt(graph, id, back, rank, elementwise, inputs[k], added)) {
      return false;
    }
  }
  // Free transposes may sink past an operator, but must not swap places with others for ever.
  if (free && !added.empty()) return false;
  Perm result = *perm;
  if (!elementwise) {
    // Old axis j of the operand stands at perm[j] in the untransposed one.
    node.inputs = inputs;
    const auto to = room->permute ? room->permute(graph, node, *perm) : std::nullopt;
    if (!to) return false;
    result = *to;
  } else {
    node.inputs = inputs;
  }
  std::vector<Node> after;
  for (ValueId& output : node.outputs) {
    if (!output) continue;
    // A number that comes with the result has no axes to move.
    if (elementwise && output != node.outputs[0] && graph.shape(output).rank() == 0) continue;
    if (static_cast<int>(result.size()) != graph.shape(output).rank()) return false;
    if (is_identity(result)) continue;
    const ValueId made = permuted_value(graph, output, inverse(result));
    after.push_back(transpose_for(node, made, output, result));
    output = made;
  }
  std::vector<Node> nodes;
  const auto place = graph.nodes.begin() + static_cast<std::ptrdiff_t>(i);
  std::move(graph.nodes.begin(), place, std::back_inserter(nodes));
  std::move(added.begin(), added.end(), std::back_inserter(nodes));
  nodes.push_back(std::move(node));
  std::move(after.begin(), after.end(), std::back_inserter(nodes));
  std::move(place + 1, graph.nodes.end(), std::back_inserter(nodes));
  graph.nodes = std::move(nodes);
  return true;
}

}  // namespace tarn::passes
