#include "quantize/complete.h"

#include <algorithm>

#include "ops/quantize.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

bool is_eight(DType type) { return type == DType::int8 || type == DType::uint8; }

bool is_zero(const Constant* zero) {
  if (!zero) return true;
  for (int64_t i = 0; i < zero->count(); ++i) {
    if (zero->integer(i) != 0) return false;
  }
  return true;
}

// The one scale and zero point of a pair; nothing where there are several, or they are not known.
std::optional<graph::Codes> codes_of_pair(const Graph& graph, const Node& node, DType type) {
  const Constant* scale = graph.constant(node.inputs[1]);
  const Constant* zero = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!scale || scale->is_absent() || scale->count() != 1 || (node.has_input(2) && (!zero || zero->is_absent())))
    return {};
  const int64_t shift = type == DType::uint8 ? 128 : 0;
  return graph::Codes{scale->real(0), (zero ? zero->integer(0) : 0) - shift};
}

// DequantizeLinear of known codes.
void fold(Graph& graph, Node& node, Kept& kept) {
  const Constant *x = graph.constant(node.inputs[0]), *scale = graph.constant(node.inputs[1]);
  const Constant* zero = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!x || !scale || x->is_absent() || scale->is_absent() || (node.has_input(2) && !zero)) return;
  graph::Value& value = graph[node.outputs[0]];
  auto numbers = ops::dequantized(node, *x, *scale, zero, value.type);
  if (!numbers) return;
  const auto axis = static_cast<int>(node.integer("axis", 1));
  const bool plain = x->dtype() == DType::int8 && is_zero(zero) && scale->shape().rank() <= 1;
  value.constant = std::make_shared<const Constant>(std::move(*numbers));
  if (plain) kept.emplace(value.constant.get(), KeptWeights{*x, *scale, axis < 0 ? axis + x->shape().rank() : axis});
  node.outputs.clear();
}

}  // namespace

Kept take_codes_out(Graph& graph) {
  Kept kept;
  for (Node& node : graph.nodes) {
    if (node.is("DequantizeLinear") && node.has_output(0)) fold(graph, node, kept);
  }
  const graph::Uses uses = graph::find_uses(graph);
  std::vector<std::pair<ValueId, ValueId>> same;  // what a pair gives, and what goes in
  for (const Node& q : graph.nodes) {
    if (!q.is("QuantizeLinear") || !is_eight(graph.dtype(q.outputs[0])) || uses.is_output[q.outputs[0].pos()]) continue;
    const std::optional<graph::Codes> codes = codes_of_pair(graph, q, graph.dtype(q.outputs[0]));
    const std::span<const size_t> readers = uses.readers[q.outputs[0].pos()];
    const bool pairs = codes && std::all_of(readers.begin(), readers.end(), [&](size_t at) {
                         const Node& dq = graph.nodes[at];
                         if (!dq.is("DequantizeLinear") || dq.outputs.empty()) return false;
                         return codes_of_pair(graph, dq, graph.dtype(q.outputs[0])) == codes;
                       });
    if (!pairs || graph.dtype(q.inputs[0]) != DType::float32) continue;
    for (const size_t at : readers) same.emplace_back(graph.nodes[at].outputs[0], q.inputs[0]);
    graph[q.inputs[0]].codes = codes;
  }
  for (const auto& [from, to] : same) {
    // A tensor that was quantised twice: what goes in is behind the pair before.
    ValueId behind = to;
    for (const auto& [made, by] : same) {
      if (made == behind) behind = by;
    }
    graph::replace_uses(graph, from, behind);
  }
  std::erase_if(graph.nodes, [](const Node& node) { return node.is("DequantizeLinear") && node.outputs.empty(); });
  graph::sort_nodes(graph);
  graph::remove_dead(graph);
  return kept;
}

}  // namespace tarn::quantize
