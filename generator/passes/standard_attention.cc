// The standard's Attention (opsets 23 and later) becomes the node that its kernel is made from: keys of earlier calls
// are put before the new ones, three-dimensional operands are read with steps.
#include <cmath>
#include <limits>
#include <optional>

#include "ops/attention.h"
#include "passes/append.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

enum Input : size_t { kQueries, kKeys, kValues, kMask, kPastKey, kPastValue, kLengths };
enum Output : size_t { kY, kPresentKey, kPresentValue, kScores };

bool has_fixed_sizes(const Graph& graph, const Node& node) {
  for (const auto* list : {&node.inputs, &node.outputs}) {
    for (ValueId id : *list) {
      if (id && !graph[id].runtime_dims.empty()) return false;
    }
  }
  return true;
}

// [batch, heads, length, size] of keys or values; from [batch, length, heads * size] when there are three axes.
ValueId with_heads(Graph& graph, const Node& node, ValueId x, int64_t heads) {
  const Shape shape = graph.shape(x);
  if (shape.rank() == 4) return x;
  const ValueId split =
      append_reshape(graph, node, x, Shape{shape[0], shape[1], heads, heads > 0 ? shape[2] / heads : 0});
  return append_transpose(graph, node, split, {0, 2, 1, 3});
}

// What attention reads as keys or values, and the present output if it is wanted.
ValueId with_past(Graph& graph, const Node& node, size_t input, size_t past, size_t present, int64_t heads) {
  const ValueId x = node.inputs[input];
  const bool wanted = node.has_output(present);
  if (!node.has_input(past) && !wanted) return x;
  const ValueId four = with_heads(graph, node, x, heads);
  ValueId whole = four;
  if (node.has_input(past)) {
    TensorType type = graph[four].type;
    type.shape[2] += graph.shape(node.inputs[past])[2];
    whole = append(graph, node, "Concat", 13, {node.inputs[past], four}, std::move(type), {{"axis", int64_t{2}}});
  }
  if (wanted) {
    Node copy;
    copy.op = "Identity";
    copy.version = 21;
    copy.name = node.name;
    copy.origins = node.origins;
    copy.origin_names = node.origin_names;
    copy.inputs = {whole};
    copy.outputs = {node.outputs[present]};
    graph.nodes.push_back(std::move(copy));
  }
  return node.has_input(past) ? whole : x;
}

ops::Steps steps_in(const Shape& shape, int64_t heads) {
  if (shape.rank() == 4) return ops::heads_first(shape[1], shape[2], shape[3]);
  return ops::rows_first(heads, shape[1], shape[2] / heads);
}

bool converts(const Graph& graph, const Node& node) {
  if (!node.is("Attention") || node.inputs.size() < 3 || !has_fixed_sizes(graph, node)) return false;
  const Shape &q = graph.shape(node.inputs[kQueries]), &k = graph.shape(node.inputs[kKeys]),
              &v = graph.shape(node.inputs[kValues]);
  if (q.rank() != k.rank() || q.rank() != v.rank() || (q.rank() != 3 && q.rank() != 4)) return false;
  if (q.count() == 0 || k.count() == 0 || v.count() == 0) return false;  // nothing to walk
  if (q.rank() == 3) {
    const int64_t heads = node.integer("q_num_heads", 0), shared = node.integer("kv_num_heads", 0);
    if (heads < 1 || shared < 1 || q[2] % heads != 0 || k[2] % shared != 0 || v[2] % shared != 0) return false;
  }
  // Past keys and values come together.
  return node.has_input(kPastKey) == node.has_input(kPastValue);
}

// Its sizes and numbers, without masks and steps; nothing where the operands do not belong together.
std::optional<ops::Attention> sizes_of(const Graph& graph, const Node& node) {
  const Shape &q = graph.shape(node.inputs[kQueries]), &k = graph.shape(node.inputs[kKeys]),
              &v = graph.shape(node.inputs[kValues]);
  const bool four = q.rank() == 4;
  ops::Attention a;
  a.batch = q[0];
  a.heads = four ? q[1] : node.integer("q_num_heads", 1);
  a.rows = four ? q[2] : q[1];
  const int64_t shared = four ? k[1] : node.integer("kv_num_heads", 1);
  const int64_t value_heads = four ? v[1] : shared;
  a.size = four ? q[3] : q[2] / a.heads;
  a.values = four ? v[3] : v[2] / shared;
  if (shared < 1 || a.heads % shared != 0 || value_heads != shared) return std::nullopt;
  if (k[0] != a.batch || v[0] != a.batch || (four ? k[3] : k[2] / shared) != a.size ||
      (four ? k[2] : k[1]) != (four ? v[2] : v[1]))
    return std::nullopt;
  a.group = a.heads / shared;
  if (node.has_input(kPastKey)) {
    const Shape &pk = graph.shape(node.inputs[kPastKey]), &pv = graph.shape(node.inputs[kPastValue]);
    if (pk.rank() != 4 || pv.rank() != 4 || pk[2] != pv[2] || pk[0] != a.batch || pv[0] != a.batch || pk[1] != shared ||
        pv[1] != shared || pk[3] != a.size || pv[3] != a.values) {
      return std::nullopt;
    }
    a.past = pk[2];
  }
  a.keys = (four ? k[2] : k[1]) + a.past;
  const double scale = node.real("scale", 0);
  a.scale = node.has("scale") ? scale : 1 / std::sqrt(static_cast<double>(a.size));
  a.cap = node.real("softcap", 0);
  a.fill = -std::numeric_limits<double>::infinity();
  a.zero = 1;
  a.causal = node.integer("is_causal", 0) != 0;
  a.stage = node.integer("qk_matmul_output_mode", 0);
  return a;
}

// Its mask as what is added, or as which keys take part; false for a shape that does not broadcast.
bool take_mask(const Graph& graph, const Node& node, ops::Attention& a, Node& made) {
  if (!node.has_input(kMask)) return true;
  const ValueId mask = node.inputs[kMask];
  const Shape& shape = graph.shape(mask);
  ops::Steps steps{};
  if (!ops::mask_steps(shape, a, steps)) return false;
  const int64_t keys = shape.rank() > 0 ? shape[shape.rank() - 1] : 1;
  // Fewer keys than there are leave the others out; before opset 24 a single column broadcasts.
  const int64_t limit = keys == 1 && node.version < 24 ? -1 : keys;
  const bool allowed = graph.dtype(mask) == DType::boolean;
  (allowed ? a.allowed : a.bias) = steps;
  (allowed ? a.allowed_keys : a.bias_keys) = limit;
  made.inputs[allowed ? 4 : 3] = mask;
  return true;
}

bool convert(Graph& graph, size_t at) {
  const Node node = graph.nodes[at];
  std::optional<ops::Attention> sizes = sizes_of(graph, node);
  if (!sizes) return false;
  ops::Attention& a = *sizes;
  Node made;
  made.name = node.name;
  made.origins = node.origins;
  made.origin_names = node.origin_names;
  made.inputs.resize(6);
  if (!take_mask(graph, node, a, made)) return false;
  const Shape q = graph.shape(node.inputs[kQueries]);
  const bool four = q.rank() == 4;
  const int64_t shared = a.heads / a.group;
  const ValueId keys = with_past(graph, node, kKeys, kPastKey, kPresentKey, shared);
  const ValueId values = with_past(graph, node, kValues, kPastValue, kPresentValue, shared);
  a.q = steps_in(q, a.heads);
  a.k = steps_in(graph.shape(keys), shared);
  a.v = steps_in(graph.shape(values), shared);
  a.y = four ? ops::heads_first(a.heads, a.rows, a.values) : ops::rows_first(a.heads, a.rows, a.values);
  made.inputs[0] = node.inputs[kQueries];
  made.inputs[1] = keys;
  made.inputs[2] = values;
  if (node.has_input(kLengths)) made.inputs[5] = node.inputs[kLengths];
  made.outputs = {node.has_output(kY) ? node.outputs[kY] : ValueId(),
                  node.has_output(kScores) ? node.outputs[kScores] : ValueId()};
  if (!made.outputs[0])
    made.outputs[0] = graph.add_value(
        "attention", {graph.dtype(node.inputs[kQueries]),
                      four ? Shape{a.batch, a.heads, a.rows, a.values} : Shape{a.batch, a.rows, a.heads * a.values}});
  ops::write_attention(made, a);
  graph.nodes[at] = std::move(made);
  return true;
}

}  // namespace

Graph convert_attention(Graph graph) {
  bool changed = false;
  const size_t count = graph.nodes.size();
  for (size_t i = 0; i < count; ++i) {
    if (converts(graph, graph.nodes[i])) changed = convert(graph, i) || changed;
  }
  if (changed) {
    graph::sort_nodes(graph);
    graph::remove_dead(graph);
  }
  return graph;
}

}  // namespace tarn::passes
