#include "size_box.h"

#include "support/text.h"

namespace tarn {

size_t point_count(const SizeBox& box) {
  size_t count = 1;
  for (const SizeRange& range : box) count *= static_cast<size_t>(range.count());
  return count;
}

SizePoint point_at(const SizeBox& box, size_t position) {
  SizePoint point(box.size());
  for (size_t axis = box.size(); axis-- > 0;) {
    const auto count = static_cast<size_t>(box[axis].count());
    point[axis] = box[axis].low + static_cast<int64_t>(position % count);
    position /= count;
  }
  return point;
}

size_t position_of(const SizeBox& box, const SizePoint& point) {
  size_t position = 0;
  for (size_t axis = 0; axis < box.size(); ++axis)
    position = position * static_cast<size_t>(box[axis].count()) + static_cast<size_t>(point[axis] - box[axis].low);
  return position;
}

SizePoint highest(const SizeBox& box) {
  SizePoint point;
  for (const SizeRange& range : box) point.push_back(range.high);
  return point;
}

std::string point_text(const SizeBox& box, const SizePoint& point) {
  std::vector<std::string> parts;
  for (size_t axis = 0; axis < box.size(); ++axis) parts.push_back(cat(box[axis].name, "=", point[axis]));
  return join(parts);
}

std::string range_text(const SizeBox& box) {
  std::vector<std::string> parts;
  for (const SizeRange& range : box) parts.push_back(cat(range.name, "=", range.low, "..", range.high));
  return join(parts);
}

}  // namespace tarn
