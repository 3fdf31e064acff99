// Where codes meet floats: IntQuantize and IntDequantize are QuantizeLinear and DequantizeLinear with one known scale ("scale",
// "zero"), element by element in any layout. The shape rules of the quantised operators of com.microsoft, which
// passes/integer turns into fused layers.
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Pitch;
using program::Run;

Answer<Types> same_as_first(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  return Types{facts.types[0]};
}

Answer<Types> infer_pair(const Facts& facts) {
  if (facts.types.size() < 7 || !facts.has(0) || !facts.has(3)) return Fault{"needs two operands with their scales"};
  const auto shape = broadcast(facts.shape(0), facts.shape(3));
  if (!shape) return Fault{"operands do not broadcast"};
  return Types{{facts.types[0].dtype, *shape}};
}

Answer<Types> infer_pool(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() < 3) return Fault{"needs images"};
  const Shape& x = facts.shape(0);
  const bool last = facts.node.integer("channels_last", 0) != 0, global = facts.node.op == "QLinearGlobalAveragePool";
  Shape y = x;
  const int first = last ? 1 : 2;
  const std::vector<int64_t> in(x.dims.begin() + first, x.dims.begin() + first + x.rank() - 2);
  if (global) {
    for (size_t i = 0; i < in.size(); ++i) y[first + static_cast<int>(i)] = 1;
    return Types{{facts.types[0].dtype, y}};
  }
  auto axes = window_axes(facts.node, in, {});
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  for (size_t i = 0; i < in.size(); ++i) y[first + static_cast<int>(i)] = std::get<0>(axes)[i].out;
  return Types{{facts.types[0].dtype, y}};
}

Answer<Types> infer_concat(const Facts& facts) {
  if (facts.types.size() < 5 || !facts.has(2)) return Fault{"needs an operand with its scale"};
  Shape y = facts.shape(2);
  const auto axis = normalise_axis(facts.node.integer("axis", 1), y.rank());
  if (!axis) return Fault{"axis is outside " + to_string(y)};
  for (size_t i = 5; i + 2 < facts.types.size() + 0 && facts.has(i); i += 3) {
    if (facts.shape(i).rank() != y.rank()) return Fault{"operands of different rank"};
    y[*axis] += facts.shape(i)[*axis];
  }
  return Types{{facts.types[2].dtype, y}};
}

Answer<Types> infer_gemm(const Facts& facts) {
  if (!facts.has(0) || !facts.has(3) || facts.shape(0).rank() != 2 || facts.shape(3).rank() != 2) return Fault{"multiplies matrices"};
  const int ta = facts.node.integer("transA", 0) != 0, tb = facts.node.integer("transB", 0) != 0;
  if (facts.shape(0)[1 - ta] != facts.shape(3)[tb]) return Fault{"inner dimensions differ"};
  return Types{{facts.has(7) ? facts.types[0].dtype : DType::float32, Shape{facts.shape(0)[ta], facts.shape(3)[1 - tb]}}};
}

std::vector<Field> run_fields(const Node& node) {
  return {{"outer", Run{true}},
          {"inner", Run{false}},
          {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
          {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
          {"scale", Float32{node.real("scale", 1)}},
          {"zero", node.integer("zero", 0)}};
}

std::optional<Fault> lower_quantise(const Node& node, Lowering& low) {
  const DType code = low.dtype(node.outputs[0]);
  const int64_t lo = code == DType::uint8 ? 0 : -128;
  std::vector<Field> fields = run_fields(node);
  fields.push_back({"lo", lo});
  fields.push_back({"hi", lo + 255});
  const std::string kernel = "tarn_int_quantize_" + kernel_suffix(code);
  low.call(node, kernel, {kernel + "_params", fields}, {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  return {};
}

std::optional<Fault> lower_dequantise(const Node& node, Lowering& low) {
  const std::string kernel = "tarn_int_dequantize_" + kernel_suffix(low.dtype(node.inputs[0]));
  low.call(node, kernel, {kernel + "_params", run_fields(node)},
           {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  return {};
}

}  // namespace

std::vector<Room> integer_border_rooms() {
  const std::string ms = "com.microsoft";
  return {
      {"tarn", "IntQuantize", "int8, uint8", lower_quantise, nullptr, nullptr, Layout::elementwise},
      {"tarn", "IntDequantize", "int8, uint8", lower_dequantise, nullptr, nullptr, Layout::elementwise},
      {"", "QLinearConv"},
      {"", "QLinearMatMul"},
      {ms, "QLinearAdd", "", nullptr, infer_pair},
      {ms, "QLinearMul", "", nullptr, infer_pair},
      {ms, "QLinearAveragePool", "", nullptr, infer_pool},
      {ms, "QLinearGlobalAveragePool", "", nullptr, infer_pool},
      {ms, "QLinearConcat", "", nullptr, infer_concat},
      {ms, "QLinearSigmoid", "", nullptr, same_as_first},
      {ms, "QLinearLeakyRelu", "", nullptr, same_as_first},
      {ms, "QLinearSoftmax", "", nullptr, same_as_first},
      {ms, "QGemm", "", nullptr, infer_gemm},
  };
}

}  // namespace tarn::ops
