#include "planner/placement.h"

#include <algorithm>
#include <tuple>

#include "planner/phases.h"

namespace tarn::planner {

namespace {
Offset align_up(Offset offset, Bytes alignment) { return (offset + alignment - 1) / alignment * alignment; }
}  // namespace

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
  std::sort(blocked_.begin(), blocked_.end(), [](const Blocked& x, const Blocked& y) { return std::tie(x.lo, x.hi) < std::tie(y.lo, y.hi); });
  Offset at = align_up(least, self.alignment), best = kUnplaced;
  Bytes best_room = INT64_MAX;
  for (const Blocked& b : blocked_) {
    if (b.lo >= at) {  // `at` is free up to and including b.lo
      if (fit == Fit::lowest) return at;
      if (b.lo - at < best_room) {
        best_room = b.lo - at;
        best = at;
      }
    }
    if (b.hi > at) at = align_up(b.hi, self.alignment);
  }
  return best != kUnplaced ? best : at;
}

Bytes arena_of(const Problem& problem, const std::vector<Offset>& offsets) {
  Bytes arena = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (is_alive(problem.items[i])) arena = std::max(arena, offsets[i] + problem.items[i].size);
  }
  return arena;
}

std::optional<std::pair<int, int>> fixed_collision(const Problem& problem, const ConflictGraph& conflicts) {
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].offset) continue;
    for (const Conflict& c : conflicts.of(static_cast<int>(i))) {
      const auto& other = problem.items[static_cast<size_t>(c.other)];
      if (!other.offset) continue;
      const Bytes difference = *problem.items[i].offset - *other.offset;
      if (c.lo < difference && difference < c.hi) return std::pair(std::min(static_cast<int>(i), c.other), std::max(static_cast<int>(i), c.other));
    }
  }
  return {};
}

}  // namespace tarn::planner
