#include "cli/sizes_to_run.h"

#include <set>

namespace tarn::cli {

std::vector<size_t> sizes_to_run(const SizeBox& box, const std::vector<SizePoint>& stored) {
  std::vector<SizePoint> points(1), together(8);
  for (const SizeRange& range : box) {
    const int64_t middle = range.low + (range.high - range.low) / 2;
    const std::vector<int64_t> all{range.low, range.low + 1,  range.low + 2,  range.low + (range.high - range.low) / 3,
                                   middle,    range.high - 2, range.high - 1, range.high};
    for (size_t i = 0; i < all.size(); ++i) together[i].push_back(all[i]);
    std::vector<SizePoint> more;
    for (const SizePoint& point : points) {
      for (const int64_t n : {range.low, middle, range.high}) {
        more.push_back(point);
        more.back().push_back(n);
      }
    }
    points = std::move(more);
  }
  if (box.size() == 1) points.clear();
  points.insert(points.end(), together.begin(), together.end());
  points.insert(points.end(), stored.begin(), stored.end());
  std::set<size_t> positions;
  for (const SizePoint& point : points) {
    bool within = true;
    for (size_t axis = 0; axis < box.size(); ++axis)
      within = within && point[axis] >= box[axis].low && point[axis] <= box[axis].high;
    if (within) positions.insert(position_of(box, point));
  }
  return {positions.rbegin(), positions.rend()};
}

std::optional<SizePoint> stored_point(const SizeBox& box, const std::map<std::string, int64_t>& dims) {
  SizePoint point;
  for (const SizeRange& range : box) {
    const auto found = dims.find(range.name);
    if (found == dims.end()) return {};
    point.push_back(found->second);
  }
  return point;
}

}  // namespace tarn::cli
