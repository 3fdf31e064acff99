#include "ops/walks.h"

#include <algorithm>

namespace tarn::ops {

namespace {

using program::Span;

// Tables longer than this cost more to build than overlapping is worth.
constexpr int64_t kMostLines = int64_t{1} << 16;

Span span_at(const std::vector<std::vector<Span>>& spans, int axis, int64_t i) {
  const std::vector<Span>& list = spans[static_cast<size_t>(axis)];
  return list.empty() ? Span{i, i + 1} : list[static_cast<size_t>(i)];
}

}  // namespace

bool has_walk(const Shape& y) {
  const int rank = y.rank();
  return std::all_of(y.dims.begin(), y.dims.end(), [](int64_t d) { return d <= kMostLines; }) &&
         (rank < 3 || y.count(0, rank - 2) <= kMostLines);
}

std::optional<program::Walk> axes_walk(const Shape& x, const Shape& y, const std::vector<std::vector<Span>>& spans) {
  const int rank = y.rank(), pixel_axis = rank - 2;
  program::Walk walk;
  const int64_t pixels = rank >= 2 ? y[pixel_axis] : 1, lines = rank >= 3 ? y.count(0, pixel_axis) : 1;
  if (lines > kMostLines || pixels > kMostLines) return {};
  for (int64_t p = 0; p < pixels; ++p) walk.columns.push_back(rank >= 2 ? span_at(spans, pixel_axis, p) : Span{0, 1});
  std::vector<int64_t> at(static_cast<size_t>(std::max(0, pixel_axis)), 0);
  for (int64_t line = 0; line < lines; ++line) {
    // The lines of the operand between the first and the last that any of the axes asks for.
    int64_t first = 0, last = 0;
    bool none = false;
    for (int axis = 0; axis < pixel_axis; ++axis) {
      const Span s = span_at(spans, axis, at[static_cast<size_t>(axis)]);
      none = none || s.first == s.end;
      first = first * x[axis] + s.first;
      last = last * x[axis] + s.end - 1;
    }
    walk.lines.push_back(none ? Span{0, 0} : Span{first, last + 1});
    for (size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < y[static_cast<int>(axis)]) break;
      at[axis] = 0;
    }
  }
  return walk;
}

}  // namespace tarn::ops
