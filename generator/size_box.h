// Sizes of run-time dimensions. A size of each dimension is a point; the points of a box stand in a list, those of the
// last dimension side by side.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tarn {

// The sizes of a dimension, both ends included.
struct SizeRange {
  std::string name;
  int64_t low = 0, high = 0;
  int64_t count() const { return high - low + 1; }
  bool operator==(const SizeRange&) const = default;
};

using SizeBox = std::vector<SizeRange>;
using SizePoint = std::vector<int64_t>;

size_t point_count(const SizeBox& box);
SizePoint point_at(const SizeBox& box, size_t position);
size_t position_of(const SizeBox& box, const SizePoint& point);
SizePoint highest(const SizeBox& box);
// "batch=1, steps=3".
std::string point_text(const SizeBox& box, const SizePoint& point);
// "batch=1..4, steps=1..32".
std::string range_text(const SizeBox& box);

}  // namespace tarn
