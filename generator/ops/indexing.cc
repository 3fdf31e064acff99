#include "ops/indexing.h"

namespace tarn::ops {

std::vector<int64_t> strided_indices(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides, int64_t offset) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<int64_t> indices(static_cast<size_t>(count)), at(dims.size(), 0);
  int64_t index = offset;
  for (int64_t i = 0; i < count; ++i) {
    indices[static_cast<size_t>(i)] = index;
    for (size_t axis = dims.size(); axis-- > 0;) {
      index += strides[axis];
      if (++at[axis] < dims[axis]) break;
      index -= strides[axis] * dims[axis];
      at[axis] = 0;
    }
  }
  return indices;
}

std::vector<int64_t> broadcast_indices(const Shape& in, const Shape& out, bool first_only) {
  if (first_only) return {0};
  const std::vector<int64_t> own = strides_of(in);
  std::vector<int64_t> strides(out.dims.size(), 0);
  const int missing = out.rank() - in.rank();
  for (int i = 0; i < in.rank(); ++i) {
    if (in[i] != 1) strides[static_cast<size_t>(i + missing)] = own[static_cast<size_t>(i)];
  }
  return strided_indices(out.dims, strides);
}

}  // namespace tarn::ops
