#include "ops/indexing.h"

namespace tarn::ops {

std::vector<int64_t> strided_indices(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides,
                                     int64_t offset) {
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

namespace {

std::vector<int64_t> broadcast_strides(const Shape& in, const Shape& out) {
  const std::vector<int64_t> own = strides_of(in);
  std::vector<int64_t> strides(out.dims.size(), 0);
  const auto missing = static_cast<size_t>(out.rank() - in.rank());
  for (int i = 0; i < in.rank(); ++i) {
    if (in[i] != 1) strides[missing + static_cast<size_t>(i)] = own[static_cast<size_t>(i)];
  }
  return strides;
}

}  // namespace

std::vector<int64_t> broadcast_indices(const Shape& in, const Shape& out, bool first_only) {
  if (first_only) return {0};
  return strided_indices(out.dims, broadcast_strides(in, out));
}

JoinedAxes join_axes(const std::vector<Shape>& operands, const Shape& out) {
  JoinedAxes axes;
  axes.steps.resize(operands.size());
  std::vector<std::vector<int64_t>> strides;
  for (const Shape& shape : operands) strides.push_back(broadcast_strides(shape, out));
  for (size_t i = 0; i < out.dims.size(); ++i) {
    const int64_t d = out.dims[i];
    if (d == 1) continue;
    bool even = !axes.dims.empty();
    for (size_t k = 0; k < operands.size() && even; ++k) even = axes.steps[k].back() == strides[k][i] * d;
    if (even) axes.dims.back() *= d;
    else axes.dims.push_back(d);
    for (size_t k = 0; k < operands.size(); ++k) {
      if (even) axes.steps[k].back() = strides[k][i];
      else axes.steps[k].push_back(strides[k][i]);
    }
  }
  if (axes.dims.empty()) {
    axes.dims.push_back(1);
    for (auto& steps : axes.steps) steps.push_back(0);
  }
  return axes;
}

}  // namespace tarn::ops
