#include "ops/indexed.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::ops {

std::vector<int64_t> padded_to(std::vector<int64_t> values, size_t count, int64_t filler) {
  values.resize(std::max(count, values.size()), filler);
  return values;
}

std::optional<std::vector<int64_t>> known_indices(const Constant& indices, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> values = indices.integers();
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t size = sizes[i % sizes.size()];
    if (values[i] < 0) values[i] += size;
    if (values[i] < 0 || values[i] >= size) return {};
  }
  return values;
}

Answer<IndexOperand> read_indices(Lowering& low, ValueId id, const std::vector<int64_t>& sizes) {
  const DType dtype = low.dtype(id);
  if (dtype != DType::int32 && dtype != DType::int64)
    return Fault{"indices of element type " + to_string(dtype), "", "E204"};
  const Constant* known = low.constant(id);
  IndexOperand operand;
  if (!known || known->is_absent()) {
    operand.argument = low.read(id);
    operand.wide = dtype == DType::int64;
    return operand;
  }
  const auto values = known_indices(*known, sizes);
  if (!values) return Fault{"an index lies outside the axis", "", "E211"};
  operand.argument =
      low.weight(low.key(id, "/indices_" + join(sizes, "_")), std::vector<int32_t>(values->begin(), values->end()));
  operand.trusted = true;
  return operand;
}

std::optional<Fault> refuse_odd_bytes(DType dtype) {
  if (is_packed(dtype) || bits_of(dtype) == 0 || bits_of(dtype) > 64)
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  return {};
}

void lower_expected(const Node& node, Lowering& low, ValueId id, const std::vector<int64_t>& values) {
  const std::string kernel = "tarn_expect_" + kernel_suffix(low.dtype(id));
  // The kernel takes eight at a time.
  for (size_t first = 0; first < values.size(); first += 8) {
    const size_t count = std::min<size_t>(8, values.size() - first);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<int64_t> some(begin, begin + static_cast<std::ptrdiff_t>(count));
    if (std::all_of(some.begin(), some.end(), [](int64_t v) { return v < 0; })) continue;
    Operation& operation = low.call(node, kernel,
                                    {kernel + "_params",
                                     {{"first", static_cast<int64_t>(first)},
                                      {"count", static_cast<int64_t>(count)},
                                      {"values", padded_to(some, 8, 0)}}},
                                    {low.read(id)});
    operation.returns_status = true;
  }
}

}  // namespace tarn::ops
