// Integer operators that work element by element: IntAdd (two factors, see "factors"), IntMul ("zeros"), IntTable ("table":
// 256 codes, the first for -128), IntFlip (int8 codes to uint8 and back).
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

using program::Pitch;
using program::Run;

std::vector<Field> run_fields() {
  return {{"outer", Run{true}},
          {"inner", Run{false}},
          {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
          {"y_pitch", Pitch{Pitch::Of::pixel, 1}}};
}

std::optional<Fault> lower_pair(const Node& node, Lowering& low) {
  const bool add = node.op == "IntAdd";
  Extra extra{{requant_field(node)}, {exceptions_argument(node, low)}, node.text("form", "")};
  if (add) {
    const std::vector<int64_t> factors = node.integers("factors");
    extra.fields.push_back({"a_factor", factors[0]});
    extra.fields.push_back({"b_factor", factors[1]});
    extra.fields.push_back({"constant", factors[2]});
  } else {
    const std::vector<int64_t> zeros = node.integers("zeros");
    const Constant& constants = *node.tensor("constants");
    extra.fields.push_back({"a_zero", zeros[0]});
    extra.fields.push_back({"b_zero", zeros[1]});
    extra.fields.push_back({"m", constants.integer(1)});
    extra.fields.push_back({"c", constants.integer(2)});
  }
  return lower_binary(node, low, add ? "tarn_int_add_s8" : "tarn_int_mul_s8", low.read(node.inputs[0]), low.shape(node.inputs[0]),
                      low.read(node.inputs[1]), low.shape(node.inputs[1]), low.write(node.outputs[0]), low.shape(node.outputs[0]),
                      std::move(extra));
}

std::optional<Fault> lower_table(const Node& node, Lowering& low) {
  Argument table = low.weight(low.key(node.outputs[0], "_table"), *node.tensor("table"));
  std::vector<Field> fields = run_fields();
  fields[3].value = Pitch{Pitch::Of::pixel, 2};
  Operation& operation = low.call(node, "tarn_int_table_s8", {"tarn_int_table_s8_params", fields},
                                  {low.read(node.inputs[0], elementwise_walk(), true), std::move(table), low.write(node.outputs[0], true)});
  operation.note = node.text("form", "table of 256 codes");
  set_line_by_line(low, operation, operation.params);
  return {};
}

std::optional<Fault> lower_flip(const Node& node, Lowering& low) {
  Operation& operation = low.call(node, "tarn_int_flip", {"tarn_int_flip_params", run_fields()},
                                  {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  set_line_by_line(low, operation, operation.params);
  return {};
}

}  // namespace

std::vector<Room> integer_elementwise_rooms() {
  return {{"tarn", "IntAdd", "int8", lower_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntMul", "int8", lower_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntTable", "int8", lower_table, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntFlip", "int8, uint8", lower_flip, nullptr, nullptr, Layout::elementwise}};
}

}  // namespace tarn::ops
