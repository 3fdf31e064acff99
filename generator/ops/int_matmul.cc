// IntMatMul: two int8 matrices made at run time ("a_zero", "b_zero"), requantised to int8; batches are those of both,
// or one operand has none.
#include "ops/integer.h"

namespace tarn::ops {

namespace {

std::optional<Fault> lower_matmul(const Node& node, Lowering& low) {
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[1]), &y = low.shape(node.outputs[0]);
  const int64_t m = a[a.rank() - 2], k = a[a.rank() - 1], n = b[b.rank() - 1], batches = y.count(0, y.rank() - 2);
  const Constant& constants = *node.tensor("constants");
  Operation& operation = low.call(
      node, "tarn_int_matmul_s8",
      {"tarn_int_matmul_s8_params",
       {requant_field(node),
        {"batches", batches},
        {"m", m},
        {"n", n},
        {"k", k},
        {"a_batch", a.rank() > 2 ? m * k : int64_t{0}},
        {"b_batch", b.rank() > 2 ? k * n : int64_t{0}},
        {"a_zero", node.integer("a_zero", 0)},
        {"b_zero", node.integer("b_zero", 0)},
        {"factor", constants.integer(1)},
        {"constant", constants.integer(2)}}},
      {low.read(node.inputs[0]), low.read(node.inputs[1]), exceptions_argument(node, low), low.write(node.outputs[0])});
  operation.macs = batches * m * n * k;
  operation.note = node.text("form", "");
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_matmul_entries() { return {{"tarn", "IntMatMul", "int8", lower_matmul}}; }

}  // namespace tarn::ops
