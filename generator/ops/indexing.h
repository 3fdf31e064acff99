// Index arithmetic shared by folding and lowering.
#pragma once
#include <vector>

#include "tensor/shape.h"

namespace tarn::ops {

// For every element of `out`, row-major, the index of the element of `in` that broadcasting puts there. `first_only`:
// just that of the first element.
std::vector<int64_t> broadcast_indices(const Shape& in, const Shape& out, bool first_only = false);

// For every element of a tensor with `dims` and the given strides (elements of the source), row-major, the source index
// plus `offset`.
std::vector<int64_t> strided_indices(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides,
                                     int64_t offset = 0);

// The axes of a broadcast, with neighbours joined that every operand walks through evenly; at least one axis.
// steps[k][i]: how far one further along axis i moves operand k, in elements.
struct JoinedAxes {
  std::vector<int64_t> dims;
  std::vector<std::vector<int64_t>> steps;
};
JoinedAxes join_axes(const std::vector<Shape>& operands, const Shape& out);

}  // namespace tarn::ops
