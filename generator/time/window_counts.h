// WindowCounts: what a window meets along one axis, inside and outside of the image.
#pragma once
#include <algorithm>
#include <cstdint>

namespace tarn::timing {

struct WindowAxisOf {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;

  int64_t first(int64_t position) const { return position * stride - pad; }
  int64_t last(int64_t position) const { return first(position) + (kernel - 1) * dilation; }
  bool inside(int64_t position) const { return first(position) >= 0 && last(position) < in; }
  // Places of the window that lie in the image.
  int64_t valid(int64_t position) const {
    const int64_t at = first(position);
    if (dilation == 0) return at >= 0 && at < in ? kernel : 0;
    const int64_t begin = at >= 0 ? 0 : (-at + dilation - 1) / dilation;
    const int64_t end = at < in ? (in - 1 - at) / dilation + 1 : 0;
    return std::max<int64_t>(0, std::min(kernel, end) - begin);
  }
};

struct WindowCounts {
  int64_t valid = 0;         // places in the image, over all positions
  int64_t whole = 0;         // positions whose window lies within
  int64_t valid_beside = 0;  // places in the image of the other positions
};

inline WindowCounts count_window(const WindowAxisOf& axis) {
  WindowCounts counts;
  for (int64_t i = 0; i < axis.out; ++i) {
    const int64_t valid = axis.valid(i);
    counts.valid += valid;
    if (axis.inside(i)) ++counts.whole;
    else counts.valid_beside += valid;
  }
  return counts;
}

}  // namespace tarn::timing
