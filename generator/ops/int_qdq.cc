// Where codes meet floats: IntQuantize and IntDequantize are QuantizeLinear and DequantizeLinear with one known scale
// ("scale", "zero"), element by element in any layout.
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

std::vector<Field> fields_of(const Node& node, const Lowering& low) {
  std::vector<Field> fields = run_fields(low, node.inputs[0], low.shape(node.outputs[0]), 1);
  fields.push_back({"scale", Float32{node.real("scale", 1)}});
  fields.push_back({"zero", node.integer("zero", 0)});
  return fields;
}

std::optional<Fault> lower_quantise(const Node& node, Lowering& low) {
  const DType code = low.dtype(node.outputs[0]);
  const int64_t range = int64_t{1} << bits_of(code), lo = is_signed(code) ? -range / 2 : 0;
  std::vector<Field> fields = fields_of(node, low);
  fields.push_back({"lo", lo});
  fields.push_back({"hi", lo + range - 1});
  const std::string kernel = "tarn_int_quantize_" + kernel_suffix(code);
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", fields},
               {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  set_line_by_line(low, operation, operation.params);
  return {};
}

std::optional<Fault> lower_dequantise(const Node& node, Lowering& low) {
  const std::string kernel = "tarn_int_dequantize_" + kernel_suffix(low.dtype(node.inputs[0]));
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", fields_of(node, low)},
               {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  set_line_by_line(low, operation, operation.params);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_qdq_entries() {
  return {
      {"tarn", "IntQuantize", "int8, uint8, int16, uint16", lower_quantise, nullptr, nullptr, Layout::elementwise},
      {"tarn", "IntDequantize", "int8, uint8, int16, uint16", lower_dequantise, nullptr, nullptr, Layout::elementwise}};
}

}  // namespace tarn::ops
