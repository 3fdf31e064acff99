// Integer operators that work element by element: IntAdd (two factors, see "factors"), IntMul ("zeros"), IntPair,
// IntProduct (see "own"), IntChoose, IntTable ("table": 256 codes, the first for -128), IntFlip (signed codes to
// unsigned and back).
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "program/spread_forms.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;

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

// The operator's own arithmetic: "own" (op, zero points of a, b and y, lo, hi), "scales" of a, b and y.
Params own_params(const Node& node) {
  const std::vector<int64_t> own = node.integers("own");
  const std::vector<double> scales = node.tensor("scales")->reals();
  Params params{"", {{"op", own[0]}}};
  const char* const reals[] = {"a_scale", "b_scale", "y_scale"};
  for (size_t i = 0; i < scales.size(); ++i) params.fields.push_back({reals[i], Float32{scales[i]}});
  const char* const codes[] = {"a_zero", "b_zero", "zero", "lo", "hi"};
  for (size_t i = 1; i < own.size(); ++i) params.fields.push_back({codes[i - 1], own[i]});
  return params;
}

std::optional<Fault> lower_two(const Node& node, Lowering& low, const std::string& kernel, Extra extra) {
  return lower_binary(node, low, kernel, low.read(node.inputs[0]), low.shape(node.inputs[0]), low.read(node.inputs[1]),
                      low.shape(node.inputs[1]), low.write(node.outputs[0]), low.shape(node.outputs[0]),
                      std::move(extra));
}

// "line": factors, constant, mask, post.
std::optional<Fault> lower_own(const Node& node, Lowering& low) {
  const std::vector<int64_t> line = node.integers("line");
  Extra extra{{}, {}, node.text("form", "")};
  const char* const names[] = {"a_factor", "b_factor", "constant", "mask", "post"};
  for (size_t i = 0; i < line.size(); ++i) extra.fields.push_back({names[i], line[i]});
  extra.fields.push_back({"own", own_params(node)});
  return lower_two(node, low, "tarn_int_pair_s8", std::move(extra));
}

// "product": m, constant, mask, post; "factors" of a quotient.
std::optional<Fault> lower_product(const Node& node, Lowering& low) {
  const std::vector<int64_t> product = node.integers("product");
  Extra extra{{}, {}, node.text("form", "")};
  const char* const names[] = {"m", "constant", "mask", "post"};
  for (size_t i = 0; i < product.size(); ++i) extra.fields.push_back({names[i], product[i]});
  extra.fields.push_back({"own", own_params(node)});
  const Constant* factors = node.tensor("factors");
  extra.arguments.push_back(factors ? low.weight(low.key(node.outputs[0], "_factors"), *factors) : low.none());
  return lower_two(node, low, "tarn_int_product_s8", std::move(extra));
}

// "a_codes", "b_codes": what 256 codes become.
std::optional<Fault> lower_choose(const Node& node, Lowering& low) {
  Extra extra{{{"smaller", node.integer("smaller", 0)}}, {}, node.text("form", "")};
  for (const char* name : {"a_codes", "b_codes"})
    extra.arguments.push_back(low.weight(low.key(node.outputs[0], cat("_", name)), *node.tensor(name)));
  return lower_two(node, low, "tarn_int_choose_s8", std::move(extra));
}

std::optional<Fault> lower_table(const Node& node, Lowering& low) {
  const Constant& codes = *node.tensor("table");
  Argument table = low.weight(low.key(node.outputs[0], "_table"), codes);
  low.program().weights[table.weight.pos()].spread = program::code_differences(codes.integers());
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
          {"tarn", "IntProduct", "int8", lower_product, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntChoose", "int8", lower_choose, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntTable", "int8", lower_table, nullptr, nullptr, Layout::elementwise},
          {"tarn", "IntFlip", "int8, uint8, int16, uint16", lower_flip, nullptr, nullptr, Layout::elementwise}};
}

}  // namespace tarn::ops
