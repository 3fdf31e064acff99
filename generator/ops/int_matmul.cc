// IntMatMul: two int8 matrices made at run time ("a_zero", "b_zero"), requantised to int8; batches are those of both,
// or one operand has none. Operands and result that are views of others ("sizes": batches, m, n, k; "steps": of a from
// one batch and row to the next, of b from batch, row and column, of the result from batch and row).
#include <algorithm>

#include "ops/int_window.h"
#include "ops/integer.h"

namespace tarn::ops {

namespace {

struct Matrices {
  int64_t m = 1, n = 1, k = 1, batches = 1, b_row = 1;
  std::vector<Field> fields;  // from `requant` to `constant`
};

Matrices matrices_of(const Node& node, const Lowering& low) {
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[1]), &y = low.shape(node.outputs[0]);
  std::vector<int64_t> sizes, steps;
  if (node.has("steps")) {
    sizes = node.integers("sizes");
    steps = node.integers("steps");
  } else {
    sizes = {y.count(0, y.rank() - 2), a[a.rank() - 2], b[b.rank() - 1], a[a.rank() - 1]};
    const int64_t m = sizes[1], n = sizes[2], k = sizes[3];
    steps = {a.rank() > 2 ? m * k : 0, k, b.rank() > 2 ? k * n : 0, n, 1, m * n, n};
  }
  Matrices of{sizes[1], sizes[2], sizes[3], sizes[0], steps[3], {}};
  const Constant& constants = *node.tensor("constants");
  of.fields = {requant_field(node),
               {"batches", of.batches},
               {"m", of.m},
               {"n", of.n},
               {"k", of.k},
               {"a_batch", steps[0]},
               {"a_row", steps[1]},
               {"b_batch", steps[2]},
               {"b_row", steps[3]},
               {"b_column", steps[4]},
               {"y_batch", steps[5]},
               {"y_row", steps[6]},
               {"a_zero", node.integer("a_zero", 0)},
               {"b_zero", node.integer("b_zero", 0)},
               {"factor", constants.integer(1)},
               {"constant", constants.integer(2)}};
  return of;
}

// Sixteen products at a time, where both operands lie. Nothing: not for this one.
Operation* lower_in_place(const Node& node, Lowering& low, Matrices& of) {
  constexpr int64_t kFarthest = 4096;  // codes of a column that are gathered
  // A list of exceptions would be one for each column; a mask of no bits, by which every value is looked at, means
  // there that none is.
  if (!has_sixteens(low) || of.n < 4 || of.b_row >= kFarthest || node.tensor("exceptions") ||
      form_numbers(node).mask == 0)
    return nullptr;
  return &low.call(node, "tarn_int_matmul_mve_s8", {"tarn_int_matmul_mve_s8_params", of.fields},
                   {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])});
}

// Pairs of 16-bit products: three columns at a time are widened. Nothing: not for this one, or columns are long and
// there is no room for them; `wish` of it would do.
Operation* lower_pairs_of(const Node& node, Lowering& low, Matrices& of, int64_t& wish) {
  constexpr int64_t kShort = 64;  // TARN_INT_MATMUL_DSP_SHORT
  // A single row is not worth the widening.
  if (!has_pairs(low) || of.m < 2 || of.n < 3 || node.tensor("exceptions")) return nullptr;
  const int64_t columns = ceil_div(3 * of.k, int64_t{2});
  if (of.k > kShort && !has_room(node)) {
    wish = 4 * columns;
    return nullptr;
  }
  std::vector<Argument> arguments = {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])};
  arguments.push_back(of.k > kShort ? low.scratch(DType::int32, columns, "columns") : low.none());
  return &low.call(node, "tarn_int_matmul_dsp_s8", {"tarn_int_matmul_dsp_s8_params", of.fields}, std::move(arguments));
}

std::optional<Fault> lower_matmul(const Node& node, Lowering& low) {
  Matrices of = matrices_of(node, low);
  int64_t wish = 0;
  Operation* operation = lower_in_place(node, low, of);
  if (!operation) operation = lower_pairs_of(node, low, of, wish);
  if (!operation) {
    operation = &low.call(node, "tarn_int_matmul_s8", {"tarn_int_matmul_s8_params", of.fields},
                          {low.read(node.inputs[0]), low.read(node.inputs[1]), exceptions_argument(node, low),
                           low.write(node.outputs[0])});
  }
  operation->wish = wish;
  operation->macs = of.batches * of.m * of.n * of.k;
  operation->note = node.text("form", "");
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_matmul_entries() { return {{"tarn", "IntMatMul", "int8", lower_matmul}}; }

}  // namespace tarn::ops
