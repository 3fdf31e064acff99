// After each placement two items change places in the order: one that bears the topmost item (it, what it rests on, and
// so on down), and one before it. Worse orders are kept for a while now and then. The idea is that of the allocator of
// Arm's Vela compiler.
#include "planner/hill_climb.h"

#include <algorithm>

#include "planner/greedy.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/random.h"
#include "support/progress.h"

namespace tarn::planner {

namespace {

size_t Z(int i) { return static_cast<size_t>(i); }

// The topmost item, what it rests on, what that rests on ...: to make the arena smaller one of these must move.
std::vector<int> find_bearers(const Problem& problem, const ConflictGraph& conflicts, const std::vector<Offset>& offsets, Bytes arena) {
  std::vector<int> bearers;
  std::vector<bool> seen(problem.items.size(), false);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (is_alive(problem.items[i]) && offsets[i] + problem.items[i].size == arena) {
      seen[i] = true;
      bearers.push_back(static_cast<int>(i));
    }
  }
  for (size_t k = 0; k < bearers.size(); ++k) {
    const int i = bearers[k];
    const Bytes alignment = problem.items[Z(i)].alignment;
    for (const Conflict& c : conflicts.of(i)) {
      const Offset support = offsets[Z(c.other)] + c.hi;
      if (seen[Z(c.other)] || support > offsets[Z(i)] || support <= offsets[Z(i)] - alignment) continue;
      seen[Z(c.other)] = true;
      bearers.push_back(c.other);
    }
  }
  return bearers;
}

}  // namespace

Climbed place_best(const Problem& problem, const ConflictGraph& conflicts, Bytes goal) {
  Climbed best;
  best.arena = INT64_MAX;
  for (const std::vector<int>& start : promising_orders(problem)) {
    for (const Fit fit : {Fit::lowest, Fit::snuggest}) {
      std::vector<Offset> offsets = place_in_order(problem, conflicts, start, fit);
      ++best.steps;
      const Bytes arena = arena_of(problem, offsets);
      if (arena < best.arena) {
        best.arena = arena;
        best.offsets = std::move(offsets);
        best.order = start;
      }
      if (best.arena <= goal) return best;
    }
  }
  return best;
}

Climbed climb(const Problem& problem, const ConflictGraph& conflicts, Bytes goal, uint64_t step_limit) {
  Climbed best = place_best(problem, conflicts, goal);
  if (problem.items.size() < 2) return best;

  Random random(1);
  std::vector<int> current = best.order;
  std::vector<Offset> offsets = place_in_order(problem, conflicts, current, Fit::lowest);
  Bytes current_arena = arena_of(problem, offsets);
  std::vector<size_t> position(problem.items.size());
  uint64_t since = 0;
  while (best.steps < step_limit && best.arena > goal) {
    for (size_t k = 0; k < current.size(); ++k) position[Z(current[k])] = k;
    const std::vector<int> bearers = find_bearers(problem, conflicts, offsets, current_arena);
    std::vector<int> next = current;
    const int moves = 1 + static_cast<int>(random.below(3));
    for (int m = 0; m < moves; ++m) {
      const size_t a = position[Z(bearers[Z(static_cast<int>(random.below(static_cast<int64_t>(bearers.size()))))])];
      const int64_t span = random.below(2) == 0 ? static_cast<int64_t>(next.size()) : static_cast<int64_t>(a) + 1;
      std::swap(next[a], next[static_cast<size_t>(random.below(span))]);
    }
    std::vector<Offset> placed = place_in_order(problem, conflicts, next, Fit::lowest);
    const Bytes arena = arena_of(problem, placed);
    ++best.steps;
    note_progress("packing, orders of placement", best.steps);
    ++since;
    if (arena < best.arena) {
      best.arena = arena;
      best.offsets = placed;
      best.order = next;
      since = 0;
    }
    if (arena <= current_arena || random.below(100) < 2) {
      current = std::move(next);
      offsets = std::move(placed);
      current_arena = arena;
    }
    if (since > 0 && since % 500 == 0) {  // back to the best order known
      current = best.order;
      offsets = place_in_order(problem, conflicts, current, Fit::lowest);
      current_arena = arena_of(problem, offsets);
    }
  }
  return best;
}

}  // namespace tarn::planner
