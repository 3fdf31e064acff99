#include "quantize/kinds.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ops/elementwise.h"
#include "ops/recurrent.h"

namespace tarn::quantize {

using graph::Graph;
using graph::Node;
using graph::ValueId;

namespace {

bool is_binary(const Node& node) {
  static const std::set<std::string> ops = {"Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "PRelu"};
  return ops.contains(node.op) && node.inputs.size() == 2;
}

bool arithmetic(const Node& node) {
  return node.op == "Add" || node.op == "Sub" || node.op == "Mul" || node.op == "Div";
}

// Known numbers that codes of 8 bits can stand for beside each other.
bool tame(const Constant* c) {
  if (!c || c->is_absent() || c->dtype() != DType::float32 || c->count() == 0) return false;
  const std::vector<double> values = c->reals();
  return std::all_of(values.begin(), values.end(), [](double v) { return std::fabs(v) < 1e6; });
}

// The known operand has one number, or differs along `axis` alone.
bool along(const Constant& c, const Shape& shape, int axis) {
  if (c.count() == 1) return c.shape().rank() <= shape.rank();
  if (axis < 0 || axis >= shape.rank() || c.count() != shape[axis]) return false;
  const int at = axis - (shape.rank() - c.shape().rank());
  return at >= 0 && c.shape()[at] == shape[axis];
}

bool is_layer(const Graph& graph, const Node& node) {
  const bool conv = node.op == "Conv" || node.op == "ConvTranspose", gemm = node.op == "Gemm";
  if ((!conv && !gemm && node.op != "MatMul") || !node.has_input(1) || !is_activation(graph, node.inputs[0]))
    return false;
  const Constant* weights = graph.constant(node.inputs[1]);
  const Constant* bias = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!weights || weights->is_absent() || weights->dtype() != DType::float32 || weights->count() == 0) return false;
  const int rank = weights->shape().rank();
  if (conv ? rank < 3 || rank > 4 : rank != 2) return false;
  if (node.op == "MatMul" && graph.shape(node.inputs[0]).rank() < 2) return false;
  if (gemm && (node.integer("transA", 0) != 0 || node.real("alpha", 1) != 1 || node.real("beta", 1) != 1)) return false;
  if (!node.has_input(2)) return true;
  return bias && !bias->is_absent() && bias->shape().rank() == 1 && bias->count() == graph.shape(node.outputs[0])[1];
}

bool is_move(const Graph& graph, const Node& node) {
  static const std::set<std::string> ops = {"Reshape", "Transpose", "Flatten",      "Squeeze",       "Unsqueeze",
                                            "Slice",   "Gather",    "Expand",       "Tile",          "Identity",
                                            "MaxPool", "ReduceMax", "ReduceMin",    "GlobalMaxPool", "Pad",
                                            "Resize",  "Upsample",  "DepthToSpace", "SpaceToDepth"};
  if (!ops.contains(node.op) || node.outputs.size() != 1) return false;
  if (node.op == "Resize" || node.op == "Upsample")
    return node.text("mode", "nearest") == "nearest" &&
           node.text("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize";
  if (node.op != "Pad" || node.text("mode", "constant") != "constant") return true;
  const Constant* value = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  return !node.has_input(3) && (!node.has_input(2) || (value && value->count() == 1 && value->real(0) == 0));
}

bool has_sequence_of_codes(const Graph& graph, const Node& node) {
  const auto known = [&](ValueId id) { return graph.constant(id) && !graph.constant(id)->is_absent(); };
  return ops::takes_codes(graph, node, known) && is_activation(graph, node.inputs[0]);
}

Kind kind_of_binary(const Graph& graph, const Node& node) {
  const Shape& y = graph.shape(node.outputs[0]);
  for (size_t side = 0; side < 2; ++side) {
    const Constant* c = graph.constant(node.inputs[side]);
    if (!c) continue;
    const ValueId x = node.inputs[1 - side];
    if (!is_activation(graph, x) || !tame(c)) return Kind::other;
    if (graph.shape(x) == y && c->count() == 1 && c->shape().rank() <= y.rank() && node.op != "PRelu")
      return node.op == "Pow" && side == 0 ? Kind::other : Kind::function;
    const bool divides = node.op == "Div" && side == 0;
    if (graph.shape(x) == y && arithmetic(node) && !divides && (y.rank() == 3 || y.rank() == 4) && along(*c, y, 1))
      return Kind::affine;
    return Kind::pair;
  }
  return is_activation(graph, node.inputs[0]) && is_activation(graph, node.inputs[1]) ? Kind::pair : Kind::other;
}

}  // namespace

bool is_activation(const Graph& graph, ValueId id) {
  return id && graph.dtype(id) == DType::float32 && !graph.constant(id) && graph[id].runtime_dims.empty() &&
         graph.shape(id).count() > 0;
}

ValueId operand_of(const Graph& graph, const Node& node) {
  for (const ValueId id : node.inputs) {
    if (is_activation(graph, id)) return id;
  }
  return {};
}

Kind kind_of(const Graph& graph, const Node& node) {
  if (has_sequence_of_codes(graph, node)) return Kind::recurrent;
  if (!node.domain.empty() || node.inputs.empty() || node.outputs.size() != 1 || !node.bodies.empty())
    return Kind::other;
  if (!is_activation(graph, node.outputs[0])) return Kind::other;
  if (is_layer(graph, node)) return Kind::layer;
  if (is_binary(node)) return kind_of_binary(graph, node);
  if (node.op == "Concat") {
    const auto fits = [&](ValueId id) { return is_activation(graph, id) || tame(graph.constant(id)); };
    return std::all_of(node.inputs.begin(), node.inputs.end(), fits) ? Kind::concat : Kind::other;
  }
  if (is_move(graph, node)) {
    if (node.op == "Gather" && tame(graph.constant(node.inputs[0]))) return Kind::move;
    return is_activation(graph, node.inputs[0]) ? Kind::move : Kind::other;
  }
  if (!is_activation(graph, node.inputs[0])) return Kind::other;
  if (node.op == "AveragePool" || node.op == "GlobalAveragePool" || node.op == "ReduceMean" || node.op == "ReduceSum")
    return Kind::pool;
  if (node.op == "MatMul") return is_activation(graph, node.inputs[1]) ? Kind::product : Kind::other;
  if (node.op == "Softmax") return Kind::softmax;
  if (node.op == "LayerNormalization") {
    const bool known =
        tame(graph.constant(node.inputs[1])) && (!node.has_input(2) || tame(graph.constant(node.inputs[2])));
    return known ? Kind::norm : Kind::other;
  }
  if (node.op == "Resize" || node.op == "Upsample") return Kind::resize;
  if (node.op == "Relu" || node.op == "Clip" || ops::unary_function(node)) return Kind::function;
  return Kind::other;
}

bool is_step(const Graph& graph, const Node& node, ValueId v, int axis) {
  if (!node.domain.empty() || node.outputs.size() != 1 || graph.dtype(node.outputs[0]) != DType::float32) return false;
  if (node.op == "Relu") return true;
  if (node.op == "Clip") {
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (node.has_input(i) && !graph.constant(node.inputs[i])) return false;
    }
    return true;
  }
  const bool bound = node.op == "Min" || node.op == "Max";
  if ((!arithmetic(node) && !bound) || node.inputs.size() != 2 || graph.shape(node.outputs[0]) != graph.shape(v))
    return false;
  const ValueId known = node.inputs[0] == v ? node.inputs[1] : node.inputs[0];
  const Constant* c = graph.constant(known);
  if (node.op == "Div" && node.inputs[0] != v) return false;
  return tame(c) && along(*c, graph.shape(v), bound ? -1 : axis);
}

std::vector<size_t> weight_inputs(const Graph& graph, const Node& node) {
  const bool recurrent = ops::is_recurrent(node);
  if (!recurrent && kind_of(graph, node) != Kind::layer) return {};
  std::vector<size_t> inputs;
  for (size_t i = 1; i <= (recurrent ? 2 : 1); ++i) {
    const Constant* c = node.has_input(i) ? graph.constant(node.inputs[i]) : nullptr;
    if (c && !c->is_absent() && c->dtype() == DType::float32) inputs.push_back(i);
  }
  return inputs;
}

std::optional<size_t> bias_behind(const Graph& graph, const graph::Uses& uses, size_t layer) {
  const ValueId sum = graph.nodes[layer].outputs[0];
  const std::span<const size_t> readers = uses.readers[sum.pos()];
  if (readers.size() != 1 || uses.is_output[sum.pos()]) return {};
  const Node& add = graph.nodes[readers[0]];
  if (add.op != "Add" || !add.domain.empty() || graph.shape(add.outputs[0]) != graph.shape(sum)) return {};
  const Constant* known = graph.constant(add.inputs[0] == sum ? add.inputs[1] : add.inputs[0]);
  const int last = graph.shape(sum).rank() - 1;
  if (!tame(known) || known->shape().rank() == 0 || !along(*known, graph.shape(sum), last)) return {};
  return readers[0];
}

bool takes_bias(const Graph& graph, const graph::Uses& uses, size_t layer) {
  return graph.nodes[layer].op != "MatMul" || bias_behind(graph, uses, layer);
}

}  // namespace tarn::quantize
