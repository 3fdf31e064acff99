// Sum, Mean, Max and Min of any number of operands: one binary kernel after the other.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/indexing.h"
#include "ops/movement.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

// The binary operator that joins two operands.
std::string joining(const std::string& op) { return op == "Max" || op == "Min" ? op : "Add"; }

Answer<Types> infer_variadic(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no inputs"};
  Shape shape = facts.shape(0);
  for (size_t i = 1; i < facts.types.size(); ++i) {
    const auto joined = facts.has(i) ? broadcast(shape, facts.shape(i)) : std::nullopt;
    if (!joined || facts.types[i].dtype != facts.types[0].dtype) {
      return Fault{
          cat("operand ", i, " is ", to_string(facts.types[i]), ", which does not join ", to_string(facts.types[0]))};
    }
    shape = *joined;
  }
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

std::optional<Constants> fold_variadic(const Facts& facts, const Types& outputs) {
  if (!all_known(facts)) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const TensorType& type = outputs[0];
  const std::string& op = facts.node.op;
  const BinaryOp& row = binary_op(joining(op));
  if (type.shape.count() > kMaxFoldedElements || type.dtype == DType::uint64 || type.dtype == DType::string) return {};
  const bool whole = !is_float(type.dtype);
  std::vector<double> reals(static_cast<size_t>(type.shape.count()));
  std::vector<int64_t> integers(reals.size());
  for (size_t k = 0; k < facts.values.size(); ++k) {
    const Constant& x = *facts.values[k];
    const std::vector<int64_t> at = broadcast_indices(x.shape(), type.shape);
    for (size_t i = 0; i < reals.size(); ++i) {
      if (whole) integers[i] = k == 0 ? x.integer(at[i]) : row.integer(integers[i], x.integer(at[i]));
      else reals[i] = k == 0 ? x.real(at[i]) : row.real(reals[i], x.real(at[i]));
    }
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  for (size_t i = 0; i < reals.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    if (whole) write_int(type.dtype, bytes.data(), index, integers[i]);
    else
      write_double(type.dtype, bytes.data(), index,
                   op == "Mean" ? reals[i] / static_cast<double>(facts.values.size()) : reals[i]);
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_variadic(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = elementwise_kernel_name(joining(node.op), dtype);
  if (kernel.empty()) return Fault{"not for element type " + to_string(dtype), "insert a Cast", "E204"};
  const Shape& y = low.shape(node.outputs[0]);
  const bool mean = node.op == "Mean" && node.inputs.size() > 1;
  if (node.inputs.size() == 1) {
    lower_copy(node, low, node.inputs[0], node.outputs[0], {});
    return {};
  }
  Argument so_far = low.read(node.inputs[0]);
  Shape shape = low.shape(node.inputs[0]);
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    const Shape joined = *broadcast(shape, low.shape(node.inputs[i]));
    const bool last = i + 1 == node.inputs.size() && !mean;
    const TensorId to =
        last ? low.tensor(node.outputs[0])
             : low.new_tensor(low.graph()[node.outputs[0]].name + "_part", dtype, joined, program::Kind::activation);
    if (auto fault = lower_binary(node, low, kernel, std::move(so_far), shape, low.read(node.inputs[i]),
                                  low.shape(node.inputs[i]), low.write(to), joined)) {
      return fault;
    }
    so_far = low.read(to);
    shape = joined;
  }
  if (!mean) return {};
  const auto count = static_cast<double>(node.inputs.size());
  return lower_binary(
      node, low, elementwise_kernel_name("Div", dtype), std::move(so_far), y,
      low.weight(cat("mean:", node.inputs.size(), "/", to_string(dtype)), Constant::scalar(dtype, count)), Shape{},
      low.write(node.outputs[0]), y);
}

}  // namespace

std::vector<OperatorEntry> variadic_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"Sum", "Mean", "Max", "Min"}) {
    const bool any = std::string(op).starts_with("M") && std::string(op) != "Mean";
    entries.push_back({"", op, any ? "floats, integers" : "floats", lower_variadic, infer_variadic, fold_variadic,
                       Layout::elementwise});
  }
  return entries;
}

}  // namespace tarn::ops
