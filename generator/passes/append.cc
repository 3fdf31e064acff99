#include "passes/append.h"

#include <algorithm>

namespace tarn::passes {

ValueId append(Graph& graph, const Node& origin, const std::string& op, int version, std::vector<ValueId> inputs,
               TensorType type, graph::Attributes attributes) {
  Node node;
  node.op = op;
  node.version = version;
  node.name = origin.name;
  node.origins = origin.origins;
  node.origin_names = origin.origin_names;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  const std::string base = node.inputs.empty() || !node.inputs[0] ? op : graph[node.inputs[0]].name;
  const ValueId y = graph.add_value(base + "_" + op, std::move(type));
  node.outputs = {y};
  graph.nodes.push_back(std::move(node));
  return y;
}

ValueId append_reshape(Graph& graph, const Node& origin, ValueId x, Shape shape) {
  if (graph.shape(x) == shape) return x;
  const ValueId sizes =
      graph.add_constant(graph[x].name + "_shape", Constant::ints(DType::int64, Shape{shape.rank()}, shape.dims));
  TensorType type{graph.dtype(x), std::move(shape)};
  return append(graph, origin, "Reshape", 21, {x, sizes}, std::move(type), {{"allowzero", int64_t{1}}});
}

ValueId append_transpose(Graph& graph, const Node& origin, ValueId x, std::vector<int64_t> perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return x;
  TensorType type{graph.dtype(x), {}};
  for (int64_t axis : perm) type.shape.dims.push_back(graph.shape(x)[static_cast<int>(axis)]);
  return append(graph, origin, "Transpose", 21, {x}, std::move(type), {{"perm", std::move(perm)}});
}

}  // namespace tarn::passes
