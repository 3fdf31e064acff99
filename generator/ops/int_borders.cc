// Where codes meet floats: QuantizeLinear and DequantizeLinear with one known scale. The shape rules of the quantised
// operators of com.microsoft, which passes/integer turns into fused layers.
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

struct Border {
  double scale = 1;
  int64_t zero = 0;
};

std::optional<Border> border_of(const Node& node, const Lowering& low) {
  Border border;
  const Constant* scale = node.has_input(1) ? low.constant(node.inputs[1]) : nullptr;
  if (!scale || scale->count() != 1 || scale->dtype() != DType::float32) return {};
  border.scale = scale->real(0);
  if (node.has_input(2)) {
    const Constant* zero = low.constant(node.inputs[2]);
    if (!zero || zero->count() != 1) return {};
    border.zero = zero->integer(0);
  }
  return border;
}

std::vector<Field> run_fields(double scale) {
  return {{"outer", Run{true}},
          {"inner", Run{false}},
          {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
          {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
          {"scale", Float32{scale}}};
}

std::optional<Fault> lower_quantise(const Node& node, Lowering& low) {
  const DType code = low.dtype(node.outputs[0]);
  const auto border = border_of(node, low);
  const bool narrow = code == DType::int8 || code == DType::uint8 || code == DType::int16 || code == DType::uint16;
  if (!border || !narrow || low.dtype(node.inputs[0]) != DType::float32) return Fault{"only with one known scale, from float32", "", "E208"};
  const int64_t range = int64_t{1} << bits_of(code), lo = is_signed(code) ? -range / 2 : 0;
  std::vector<Field> fields = run_fields(border->scale);
  fields.push_back({"zero", border->zero});
  fields.push_back({"lo", lo});
  fields.push_back({"hi", lo + range - 1});
  const std::string kernel = "tarn_int_quantize_" + kernel_suffix(code);
  low.call(node, kernel, {kernel + "_params", fields}, {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  return {};
}

std::optional<Fault> lower_dequantise(const Node& node, Lowering& low) {
  const DType code = low.dtype(node.inputs[0]);
  const auto border = border_of(node, low);
  const bool narrow = code == DType::int8 || code == DType::uint8 || code == DType::int16 || code == DType::uint16 || code == DType::int32;
  if (!border || !narrow || low.dtype(node.outputs[0]) != DType::float32) return Fault{"only with one known scale, to float32", "", "E208"};
  std::vector<Field> fields = run_fields(border->scale);
  fields.push_back({"zero", border->zero});
  const std::string kernel = "tarn_int_dequantize_" + kernel_suffix(code);
  low.call(node, kernel, {kernel + "_params", fields}, {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  return {};
}

}  // namespace

std::vector<Room> quantise_rooms() {
  const std::string ms = "com.microsoft";
  return {
      {"", "QuantizeLinear", "int8, uint8, int16, uint16", lower_quantise, nullptr, nullptr, Layout::elementwise},
      {"", "DequantizeLinear", "int8, uint8, int16, uint16, int32", lower_dequantise, nullptr, nullptr, Layout::elementwise},
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
      {ms, "QuantizeLinear", "", nullptr, nullptr},
      {ms, "DequantizeLinear", "", nullptr, nullptr},
  };
}

}  // namespace tarn::ops
