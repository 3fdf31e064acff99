// Integer operators that work element by element: IntAdd (two factors, see "factors"), IntMul ("zeros"), IntPair (see
// "own"), IntTable ("table": 256 codes, the first for -128), IntFlip (signed codes to unsigned and back).
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

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
  return lower_binary(node, low, add ? "tarn_int_add_s8" : "tarn_int_mul_s8", low.read(node.inputs[0]),
                      low.shape(node.inputs[0]), low.read(node.inputs[1]), low.shape(node.inputs[1]),
                      low.write(node.outputs[0]), low.shape(node.outputs[0]), std::move(extra));
}

// The operator's own arithmetic: "own" (op, zero points of a, b and y, lo, hi), "scales" of a, b and y, "line"
// (factors, constant, mask, post).
std::optional<Fault> lower_own(const Node& node, Lowering& low) {
  const std::vector<int64_t> own = node.integers("own"), line = node.integers("line");
  const std::vector<double> scales = node.tensor("scales")->reals();
  Extra extra{{{"op", own[0]}}, {}, node.text("form", "")};
  const char* const names[] = {"a_factor", "b_factor", "constant", "mask", "post"};
  for (size_t i = 0; i < line.size(); ++i) extra.fields.push_back({names[i], line[i]});
  const char* const reals[] = {"a_scale", "b_scale", "y_scale"};
  for (size_t i = 0; i < scales.size(); ++i) extra.fields.push_back({reals[i], Float32{scales[i]}});
  const char* const codes[] = {"a_zero", "b_zero", "zero", "lo", "hi"};
  for (size_t i = 1; i < own.size(); ++i) extra.fields.push_back({codes[i - 1], own[i]});
  return lower_binary(node, low, "tarn_int_pair_s8", low.read(node.inputs[0]), low.shape(node.inputs[0]),
                      low.read(node.inputs[1]), low.shape(node.inputs[1]), low.write(node.outputs[0]),
                      low.shape(node.outputs[0]), std::move(extra));
}

std::optional<Fault> lower_table(const Node& node, Lowering& low) {
  Argument table = low.weight(low.key(node.outputs[0], "_table"), *node.tensor("table"));
  Operation& operation = low.call(
      node, "tarn_int_table_s8",
      {"tarn_int_table_s8_params", run_fields(low, node.inputs[0], low.shape(node.outputs[0]), 2)},
      {low.read(node.inputs[0], elementwise_walk(), true), std::move(table), low.write(node.outputs[0], true)});
  operation.note = node.text("form", "table of 256 codes");
  if (!low.constant(node.inputs[0])) set_line_by_line(low, operation, operation.params);
  return {};
}

std::optional<Fault> lower_flip(const Node& node, Lowering& low) {
  const std::string kernel = bits_of(low.dtype(node.inputs[0])) == 16 ? "tarn_int_flip_s16" : "tarn_int_flip_s8";
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", run_fields(low, node.inputs[0], low.shape(node.outputs[0]), 1)},
               {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  if (!low.constant(node.inputs[0])) set_line_by_line(low, operation, operation.params);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_elementwise_entries() {
  return {{"tarn", "IntAdd", "int8", lower_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntMul", "int8", lower_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntPair", "int8", lower_own, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntTable", "int8", lower_table, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntFlip", "int8, uint8, int16, uint16", lower_flip, nullptr, nullptr, Layout::elementwise}};
}

}  // namespace tarn::ops
