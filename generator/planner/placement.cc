#include "planner/placement.h"

#include <algorithm>

#include "planner/phases.h"

namespace tarn::planner {

namespace {

Offset align_up(Offset offset, Bytes alignment) {
  const Offset up = offset + alignment - 1;
  if ((alignment & (alignment - 1)) == 0) return up & -alignment;  // a division would be the dearest part of the search
  return up / alignment * alignment;
}

// Passes over what may still be in the way are fewer, and cheaper, than putting it all in order.
Offset find_lowest(std::vector<Blocked>& blocked, Bytes alignment, Offset at) {
  size_t count = blocked.size();
  for (bool moved = true; moved;) {
    moved = false;
    size_t left = 0;
    for (size_t k = 0; k < count; ++k) {
      const Blocked b = blocked[k];
      if (b.hi <= at) continue;
      if (b.lo < at) {
        at = align_up(b.hi, alignment);
        moved = true;
      } else {
        blocked[left++] = b;
      }
    }
    count = left;
  }
  return at;
}

}  // namespace

Offset find_free(std::vector<Blocked>& blocked, Bytes alignment, Fit fit, Offset least) {
  if (fit == Fit::lowest) return find_lowest(blocked, alignment, align_up(least, alignment));
  // Of those that begin together any may come first: the answer is the same.
  std::sort(blocked.begin(), blocked.end(), [](const Blocked& x, const Blocked& y) { return x.lo < y.lo; });
  Offset at = align_up(least, alignment), best = kUnplaced;
  Bytes best_gap = INT64_MAX;
  for (const Blocked& b : blocked) {
    if (b.lo >= at && b.lo - at < best_gap) {  // `at` is free up to and including b.lo
      best_gap = b.lo - at;
      best = at;
    }
    if (b.hi > at) at = align_up(b.hi, alignment);
  }
  return best != kUnplaced ? best : at;
}

void Placement::remove(int item) {
  const auto i = static_cast<size_t>(item);
  offsets_[i] = problem_.items[i].offset.value_or(kUnplaced);
}

Placement::Placement(const Problem& problem, const ConflictGraph& conflicts)
    : problem_(problem), conflicts_(conflicts) {
  remove_all();
}

void Placement::remove_all() {
  offsets_.assign(problem_.items.size(), kUnplaced);
  for (size_t i = 0; i < problem_.items.size(); ++i) {
    if (problem_.items[i].offset) offsets_[i] = *problem_.items[i].offset;
  }
}

Offset Placement::find(int item, Fit fit, Offset least) {
  const Item& self = problem_.items[static_cast<size_t>(item)];
  blocked_.clear();
  looks_ += conflicts_.of(item).size() + 1;
  if (fit == Fit::lowest) {
    // The first of the passes, over what need not be written down.
    Offset at = align_up(least, self.alignment);
    for (const Conflict& c : conflicts_.of(item)) {
      const Offset base = offsets_[static_cast<size_t>(c.other)];
      if (base == kUnplaced || base + c.hi <= at) continue;
      if (base + c.lo < at) at = align_up(base + c.hi, self.alignment);
      else blocked_.push_back({base + c.lo, base + c.hi});
    }
    return find_lowest(blocked_, self.alignment, at);
  }
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
