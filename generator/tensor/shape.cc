#include "tensor/shape.h"

#include <algorithm>

#include "support/text.h"

namespace tarn {

std::string to_string(const Shape& shape) { return "[" + join(shape.dims, ",") + "]"; }
std::string to_string(const TensorType& type) { return to_string(type.dtype) + to_string(type.shape); }

Checked checked_count(const Shape& shape) {
  Checked count = 1;
  bool empty = false;
  for (int64_t d : shape.dims) {
    if (d < 0) return {};
    if (d == 0) empty = true;
    // A zero elsewhere makes the tensor empty, but the other dimensions must still be sane.
    count = checked_mul(count, std::max<int64_t>(d, 1));
  }
  if (!count) return {};
  return empty ? Checked(0) : count;
}

Checked checked_bytes(const TensorType& type) {
  Shape filled = type.shape;  // an axis of 0 does not make the others sane
  for (int64_t& d : filled.dims) d = d == 0 ? 1 : d;
  const Checked count = checked_count(filled);
  const int64_t bits = type.dtype == DType::string ? 8 : std::max(bits_of(type.dtype), 1);
  if (!count || *count > kMaxTensorBytes / bits * 8) return {};
  return bytes_for(type.dtype, type.shape.count());
}

std::optional<int> normalise_axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return {};
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  Shape out;
  out.dims.resize(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i) {
    const int ia = i - (rank - a.rank()), ib = i - (rank - b.rank());
    const int64_t da = ia < 0 ? 1 : a[ia], db = ib < 0 ? 1 : b[ib];
    if (da != db && da != 1 && db != 1) return {};
    out[i] = da == 1 ? db : da;
  }
  return out;
}

std::vector<int64_t> strides_of(const Shape& shape) {
  std::vector<int64_t> strides(shape.dims.size(), 1);
  for (int i = shape.rank() - 2; i >= 0; --i) {
    strides[static_cast<size_t>(i)] = strides[static_cast<size_t>(i) + 1] * shape[i + 1];
  }
  return strides;
}

}  // namespace tarn
