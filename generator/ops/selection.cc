// Operators whose result's size depends on data (note [run-time sizes] in op.h): the largest size is planned, the kernel
// stores the actual one.
#include "ops/selection.h"

#include <algorithm>

#include "ops/lowering.h"

namespace tarn::ops {

namespace {

// The largest size: what the data can give, or less if the model declares less.
int64_t largest(const Facts& facts, size_t output, int axis, int64_t natural) {
  const TensorType& declared = facts.declared[output];
  if (declared.dtype == DType::undefined || axis >= declared.shape.rank()) return natural;
  return std::min(natural, declared.shape[axis]);
}

Answer<Types> infer_nonzero(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const int64_t rank = std::max(1, x.rank());
  if (facts.marks) facts.marks->push_back({0, 1});
  return Types{{DType::int64, Shape{rank, largest(facts, 0, 1, x.count())}}};
}

std::optional<Fault> lower_nonzero(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  std::vector<int64_t> dims(8, 1);
  for (int i = 0; i < x.rank(); ++i) dims[static_cast<size_t>(i)] = x[i];
  const std::string kernel = "tarn_nonzero_" + kernel_suffix(low.dtype(node.inputs[0]));
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"rank", std::max<int64_t>(1, x.rank())},
                                    {"dims", dims},
                                    {"count", x.count()},
                                    {"capacity", low.shape(node.outputs[0])[1]}}},
                                  {low.read(node.inputs[0]), low.write(node.outputs[0]), low.size_of(node.outputs[0], 1)});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<Room> selection_rooms() { return {{"", "NonZero", "any", lower_nonzero, infer_nonzero}}; }

}  // namespace tarn::ops
