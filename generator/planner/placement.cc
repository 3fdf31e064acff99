#include "planner/placement.h"

#include <algorithm>
#include <tuple>

#include "planner/phases.h"

namespace tarn::planner {

namespace {
Offset align_up(Offset offset, Bytes alignment) { return (offset + alignment - 1) / alignment * alignment; }
}  // namespace

Offset find_free(std::vector<Blocked>& blocked, Bytes alignment, Fit fit, Offset least) {
  std::sort(blocked.begin(), blocked.end(), [](const Blocked& x, const Blocked& y) { return std::tie(x.lo, x.hi) < std::tie(y.lo, y.hi); });
  Offset at = align_up(least, alignment), best = kUnplaced;
  Bytes best_room = INT64_MAX;
  for (const Blocked& b : blocked) {
    if (b.lo >= at) {  // `at` is free up to and including b.lo
      if (fit == Fit::lowest) return at;
      if (b.lo - at < best_room) {
        best_room = b.lo - at;
        best = at;
      }
    }
    if (b.hi > at) at = align_up(b.hi, alignment);
  }
  return best != kUnplaced ? best : at;
}

Placement::Placement(const Problem& problem, const ConflictGraph& conflicts) : problem_(problem), conflicts_(conflicts) { remove_all(); }

void Placement::remove_all() {
  offsets_.assign(problem_.items.size(), kUnplaced);
  for (size_t i = 0; i < problem_.items.size(); ++i) {
    if (problem_.items[i].offset) offsets_[i] = *problem_.items[i].offset;
  }
}

Offset Placement::find(int item, Fit fit, Offset least) {
  const Item& self = problem_.items[static_cast<size_t>(item)];
  blocked_.clear();
  for (const Conflict& c : conflicts_.of(item)) {
    const Offset base = offsets_[static_cast<size_t>(c.other)];
    if (base != kUnplaced && base + c.hi > least) blocked_.push_back({base + c.lo, base + c.hi});
  }
  return find_free(blocked_, self.alignment, fit, least);
}

Bytes arena_of(const Problem& problem, const std::vector<Offset>& offsets) {
  Bytes arena = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (is_alive(problem.items[i])) arena = std::max(arena, offsets[i] + problem.items[i].size);
  }
  return arena;
}

std::optional<std::pair<int, int>> fixed_collision(const Problem& problem) {
  Problem fixed;
  std::vector<int> original, position(problem.items.size(), -1);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].offset) continue;
    position[i] = static_cast<int>(original.size());
    original.push_back(static_cast<int>(i));
    fixed.items.push_back(problem.items[i]);
  }
  for (const Pair& p : problem.pairs) {
    const int a = position[static_cast<size_t>(p.a)], b = position[static_cast<size_t>(p.b)];
    if (a >= 0 && b >= 0) fixed.pairs.push_back({a, b, p.forbidden});
  }
  const auto collision = find_collision(fixed);
  if (!collision) return {};
  return std::minmax(original[static_cast<size_t>(collision->first)], original[static_cast<size_t>(collision->second)]);
}

}  // namespace tarn::planner
