// ConvInteger and QLinearConv: convolutions of 8-bit codes, any operand known or not.
#include "ops/elementwise.h"
#include "ops/qlinear.h"
#include "ops/quantize.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Where the operands stand in the two operators.
struct Places {
  size_t x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias;
};
constexpr size_t kNone = 100;
constexpr Places kInteger{0, kNone, 2, 1, kNone, 3, kNone, kNone, kNone};
constexpr Places kQuantised{0, 1, 2, 3, 4, 5, 6, 7, 8};

Answer<Types> infer_conv(const Facts& facts, const Places& at, DType result) {
  if (!facts.has(at.x) || !facts.has(at.w)) return Fault{"needs an input and weights"};
  const Shape &x = facts.shape(at.x), &w = facts.shape(at.w);
  if (x.rank() < 3 || w.rank() != x.rank())
    return Fault{cat("input ", to_string(x), " and weights ", to_string(w), " do not fit")};
  const int64_t group = facts.node.integer("group", 1);
  if (group < 1 || x[1] != w[1] * group || w[0] % group != 0) {
    return Fault{cat("input ", to_string(x), ", weights ", to_string(w), " and group ", group, " do not fit")};
  }
  if (facts.has(at.bias) && facts.shape(at.bias) != Shape{w[0]})
    return Fault{"a bias of " + to_string(facts.shape(at.bias))};
  for (size_t i : {at.w_scale, at.w_zero}) {
    if (facts.has(i) && facts.shape(i).count() != 1 && facts.shape(i) != Shape{w[0]}) {
      return Fault{cat("input ", i, " of ", to_string(facts.shape(i)), " for ", w[0], " output channels")};
    }
  }
  for (size_t i : {at.x_scale, at.x_zero, at.y_scale, at.y_zero}) {
    if (facts.has(i) && facts.shape(i).count() != 1) return Fault{cat("input ", i, " is no single number")};
  }
  auto axes = window_axes(facts.node, spatial_dims(x, false), spatial_dims(w, false));
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  Shape y{x[0], w[0]};
  for (const WindowAxis& a : std::get<0>(axes)) y.dims.push_back(a.out);
  return Types{{result, std::move(y)}};
}

Answer<Types> infer_integer(const Facts& facts) { return infer_conv(facts, kInteger, DType::int32); }

Answer<Types> infer_quantised(const Facts& facts) {
  for (size_t i = 0; i < 8; ++i) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  return infer_conv(facts, kQuantised, facts.types[7].dtype);
}

std::optional<Fault> check_types(const Node& node, const Lowering& low, const Places& at) {
  const DType x = low.dtype(node.inputs[at.x]), w = low.dtype(node.inputs[at.w]);
  if (!is_byte(x) || !is_byte(w)) return Fault{cat("not for ", to_string(x), " by ", to_string(w)), "", "E204"};
  for (auto [zero, type] : {std::pair{at.x_zero, x}, std::pair{at.w_zero, w}}) {
    if (node.has_input(zero) && low.dtype(node.inputs[zero]) != type)
      return Fault{"a zero point is not of its tensor's type"};
  }
  if (low.shape(node.inputs[at.x]).rank() > 5) return Fault{"more than 3 spatial axes"};
  return {};
}

program::Params conv_params(const Node& node, const Lowering& low, const Places& at) {
  const Shape &x = low.shape(node.inputs[at.x]), &w = low.shape(node.inputs[at.w]);
  const int64_t groups = node.integer("group", 1);
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, false), spatial_dims(w, false)));
  while (axes.size() < 3) axes.insert(axes.begin(), WindowAxis{});
  auto steps = [&](size_t i) { return int64_t{node.has_input(i) && low.shape(node.inputs[i]).count() > 1}; };
  const DType y = low.dtype(node.outputs[0]);
  program::Params params{"tarn_conv_integer_params",
                         {{"images", x[0]}, {"groups", groups}, {"inputs", w[1]}, {"outputs", w[0] / groups}}};
  params.append(axis_fields(axes));
  params.append({{"x_flip", flip_of(low.dtype(node.inputs[at.x]))},
                 {"w_flip", flip_of(low.dtype(node.inputs[at.w]))},
                 {"w_step", steps(at.w_zero)},
                 {"s_step", steps(at.w_scale)},
                 {"lo", is_byte(y) ? least_code(y) : 0},
                 {"hi", is_byte(y) ? greatest_code(y) : 0}});
  return params;
}

void count(Operation& operation, const Node& node, const Lowering& low, const Places& at) {
  const Shape& w = low.shape(node.inputs[at.w]);
  operation.macs = low.shape(node.outputs[0]).count() * w.count(1, w.rank());
  if (low.constant(node.inputs[at.w])) operation.parameters = w.count();
  if (node.has_input(at.bias)) operation.parameters += low.shape(node.inputs[at.bias]).count();
}

std::optional<Fault> lower_integer(const Node& node, Lowering& low) {
  if (auto fault = check_types(node, low, kInteger)) return fault;
  auto zero = [&](size_t i) { return node.has_input(i) ? read_zero_point(low, node.inputs[i]) : low.none(); };
  Operation& operation =
      low.call(node, "tarn_conv_integer", conv_params(node, low, kInteger),
               {low.read(node.inputs[0]), low.read(node.inputs[1]), zero(2), zero(3), low.write(node.outputs[0])});
  count(operation, node, low, kInteger);
  return {};
}

std::optional<Fault> lower_quantised(const Node& node, Lowering& low) {
  if (auto fault = check_types(node, low, kQuantised)) return fault;
  const DType y = low.dtype(node.outputs[0]);
  if (!is_byte(y)) return Fault{"not for an output of " + to_string(y), "", "E204"};
  if (node.has_input(8) && low.dtype(node.inputs[8]) != DType::int32) return Fault{"the bias is no int32"};
  auto zero = [&](size_t i) { return read_zero_point(low, node.inputs[i]); };
  auto scale = [&](size_t i) { return read_floats(node, low, node.inputs[i]); };
  std::vector<Argument> arguments{low.read(node.inputs[0]),
                                  scale(1),
                                  zero(2),
                                  low.read(node.inputs[3]),
                                  scale(4),
                                  zero(5),
                                  scale(6),
                                  zero(7),
                                  node.has_input(8) ? low.read(node.inputs[8]) : low.none(),
                                  low.write(node.outputs[0])};
  Operation& operation =
      low.call(node, "tarn_conv_quantized", conv_params(node, low, kQuantised), std::move(arguments));
  count(operation, node, low, kQuantised);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_conv_entries() {
  return {{"", "ConvInteger", "int8 uint8", lower_integer, infer_integer},
          {"", "QLinearConv", "int8 uint8", lower_quantised, infer_quantised}};
}

}  // namespace tarn::ops
