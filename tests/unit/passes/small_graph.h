// Builds graphs node by node.
#pragma once
#include <string>
#include <vector>

#include "passes/passes.h"

namespace tarn::passes::testing {

using graph::Node;
using graph::ValueId;

struct SmallGraph {
  graph::Graph graph;

  ValueId input(Shape shape, DType type = DType::float32) {
    graph.inputs.push_back(graph.add_value("in", {type, std::move(shape)}));
    return graph.inputs.back();
  }
  ValueId number(double value) { return graph.add_constant("c", Constant::floats(DType::float32, Shape{}, {value})); }
  ValueId numbers(Shape shape) {
    return graph.add_constant(
        "w", Constant::floats(DType::float32, shape, std::vector<double>(static_cast<size_t>(shape.count()), 2)));
  }
  ValueId axes(std::vector<int64_t> values) {
    return graph.add_constant("axes", Constant::ints(DType::int64, Shape{static_cast<int64_t>(values.size())}, values));
  }
  // The output has the shape of the first operand that is no constant number, unless told.
  ValueId node(const std::string& op, std::vector<ValueId> inputs, graph::Attributes attributes = {},
               std::vector<int64_t> dims = {}) {
    Node node;
    node.op = op;
    node.version = 18;
    node.origins = {static_cast<int>(graph.nodes.size())};
    node.origin_names = {op};
    TensorType type{graph.dtype(inputs[0]), Shape(dims)};
    for (size_t i = inputs.size(); i-- > 0 && dims.empty();) {
      if (!graph.constant(inputs[i])) type.shape = graph.shape(inputs[i]);
    }
    if (dims.empty()) {
      for (ValueId id : inputs) {
        if (auto joined = broadcast(type.shape, graph.shape(id)); joined && op != "ReduceMean" && op != "ReduceSum")
          type.shape = *joined;
      }
    }
    node.inputs = std::move(inputs);
    node.outputs = {graph.add_value(op, type)};
    node.attributes = std::move(attributes);
    graph.nodes.push_back(node);
    return node.outputs[0];
  }
  ValueId mean(ValueId x, const std::string& op = "ReduceMean") {
    Shape shape = graph.shape(x);
    shape[shape.rank() - 1] = 1;
    return node(op, {x, axes({-1})}, {}, shape.dims);
  }
  void output(ValueId id) { graph.outputs.push_back(id); }
};

inline std::string ops_of(const graph::Graph& graph) {
  std::string text;
  for (const Node& node : graph.nodes) text += (text.empty() ? "" : " ") + node.op;
  return text;
}

}  // namespace tarn::passes::testing
