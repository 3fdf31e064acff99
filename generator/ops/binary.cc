// Entries of the elementwise operators of two operands: folding and lowering, the same for every row of
// binary_table.cc.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/indexing.h"
#include "support/check.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

const BinaryOp* find_binary(const Node& node) {
  for (const BinaryOp& op : binary_ops()) {
    if (node.op == op.op && is_variant(node, op.variant_attribute, op.variant)) return &op;
  }
  return nullptr;
}

Answer<Types> infer_binary(const Facts& facts) {
  const BinaryOp* op = find_binary(facts.node);
  if (!op || !facts.has(0) || !facts.has(1))
    return Fault{"needs two inputs and attribute values that the operator defines"};
  if (facts.types[0].dtype != facts.types[1].dtype) {
    return Fault{"operands of different element types: " + to_string(facts.types[0]) + " and " +
                 to_string(facts.types[1])};
  }
  std::optional<Shape> shape = broadcast(facts.shape(0), facts.shape(1));
  // Before opset 7, "broadcast" and "axis" aligned the second operand at an axis of the first.
  if (facts.node.integer("broadcast", 0) != 0) shape = facts.shape(0);
  if (!shape) {
    return Fault{"shapes " + to_string(facts.shape(0)) + " and " + to_string(facts.shape(1)) + " do not broadcast"};
  }
  return Types{{op->to_bool ? DType::boolean : facts.types[0].dtype, *shape}};
}

// The second operand's shape as it takes part in broadcasting (opset 6: aligned at `axis`).
Shape aligned(const Node& node, const Shape& a, const Shape& b) {
  if (node.integer("broadcast", 0) == 0) return b;
  const int64_t axis = node.integer("axis", a.rank() - b.rank());
  const int at = static_cast<int>(axis < 0 ? axis + a.rank() : axis);
  Shape shape = b;
  for (int i = at + b.rank(); i < a.rank(); ++i) shape.dims.push_back(1);
  return shape;
}

std::optional<Constants> fold_binary(const Facts& facts, const Types& outputs) {
  const BinaryOp* op = find_binary(facts.node);
  const Constant *a = facts.value(0), *b = facts.value(1);
  if (!op || !a || !b) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const bool whole = is_integer(a->dtype()) || a->dtype() == DType::boolean;
  if ((whole ? !op->integer : !op->real) || is_packed(a->dtype()) || a->dtype() == DType::string) return {};
  // Folding works in int64; unsigned 64-bit numbers are left to the kernel.
  if (a->dtype() == DType::uint64) return {};
  const TensorType& type = outputs[0];
  const bool single = a->is_splat() && b->is_splat() && type.shape.count() > 0;
  const int64_t count = single ? 1 : type.shape.count();
  if (count > kMaxFoldedElements) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type.dtype, count)));
  const std::vector<int64_t> ia = broadcast_indices(a->shape(), type.shape, single);
  const std::vector<int64_t> ib = broadcast_indices(aligned(facts.node, a->shape(), b->shape()), type.shape, single);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at_a = ia[static_cast<size_t>(i)], at_b = ib[static_cast<size_t>(i)];
    if (whole) write_int(type.dtype, bytes.data(), i, op->integer(a->integer(at_a), b->integer(at_b)));
    else write_double(type.dtype, bytes.data(), i, op->real(a->real(at_a), b->real(at_b)));
  }
  return Constants{single ? Constant::splat(type, std::move(bytes)) : Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_binary_node(const Node& node, Lowering& low) {
  const BinaryOp& op = *find_binary(node);
  const DType type = low.dtype(node.inputs[0]);
  const std::string kernel = elementwise_kernel_name(op.op, op.variant, type);
  if (!elementwise_kernel(kernel)) {
    return Fault{"not for element type " + to_string(type), "insert a Cast, or export the model in float32", "E204"};
  }
  const Shape &a = low.shape(node.inputs[0]), &b = low.shape(node.inputs[1]);
  return lower_binary(node, low, kernel, low.read(node.inputs[0]), a, low.read(node.inputs[1]), aligned(node, a, b),
                      low.write(node.outputs[0]), low.shape(node.outputs[0]));
}

}  // namespace

const BinaryOp& binary_op(const std::string& op) {
  const auto& ops = binary_ops();
  const auto it = std::find_if(ops.begin(), ops.end(), [&](const BinaryOp& row) { return row.op == op; });
  TARN_CHECK(it != ops.end());
  return *it;
}

std::vector<OperatorEntry> binary_entries() {
  std::vector<OperatorEntry> entries;
  for (const BinaryOp& op : binary_ops()) {
    if (!entries.empty() && entries.back().op == op.op) continue;
    // These have entries of their own, with any number of operands, or operands of two types (variadic.cc, pow.cc).
    if (std::string_view(op.op) == "Max" || std::string_view(op.op) == "Min" || std::string_view(op.op) == "Pow")
      continue;
    std::string types = op.float_expression ? "floats" : "";
    if (op.signed_expression) types += types.empty() ? "integers" : ", integers";
    else if (!op.for_bool) types += "unsigned integers";
    if (op.for_bool) types += types.empty() ? "bool" : ", bool";
    entries.push_back({"", op.op, types, lower_binary_node, infer_binary, fold_binary, Layout::elementwise});
  }
  return entries;
}

}  // namespace tarn::ops
