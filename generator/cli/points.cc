#include "cli/points.h"

#include <algorithm>

#include "program/macs.h"

namespace tarn::cli {

Point point_of(const Analysis& analysis) {
  Point point;
  point.arena = analysis.plan.arena;
  point.lower_bound = analysis.plan.lower_bound;
  point.proved = analysis.plan.proof == planner::Proof::optimal;
  point.weights = analysis.weight_bytes();
  point.macs = program::macs_of(analysis.program);
  for (const program::Tensor& tensor : analysis.program.tensors)
    point.tensors.push_back({tensor.name, tensor.type.shape.dims, tensor.bytes()});
  return point;
}

std::vector<const Point::Tensor*> everywhere(const Point::Tensor& wanted, const std::vector<Point>& points) {
  std::vector<const Point::Tensor*> found;
  for (const Point& point : points) {
    const auto same = [&](const Point::Tensor& tensor) { return tensor.name == wanted.name; };
    const auto at = std::find_if(point.tensors.begin(), point.tensors.end(), same);
    if (at == point.tensors.end() || at->dims.size() != wanted.dims.size()) return {};
    if (std::find_if(at + 1, point.tensors.end(), same) != point.tensors.end()) return {};
    found.push_back(&*at);
  }
  return found;
}

}  // namespace tarn::cli
