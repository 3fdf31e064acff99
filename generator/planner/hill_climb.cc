// After each placement two items change places in the order: one that bears the topmost item (it, what it rests on, and
// so on down), and one before it. Worse orders are kept for a while now and then. The idea is that of the allocator of
// Arm's Vela compiler.
#include "planner/hill_climb.h"

#include <algorithm>

#include "planner/greedy.h"
#include "planner/index.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/random.h"
#include "support/progress.h"

namespace tarn::planner {

namespace {

// The topmost item, what it rests on, what that rests on ...: to make the arena smaller one of these must move.
std::vector<int> find_bearers(const Problem& problem, const ConflictGraph& conflicts,
                              const std::vector<Offset>& offsets, Bytes arena) {
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

Climbed place_best(const Problem& problem, const ConflictGraph& conflicts, Bytes goal, uint64_t most_looks) {
  Climbed best;
  best.arena = INT64_MAX;
  Placement placement(problem, conflicts);
  for (const std::vector<int>& start : promising_orders(problem)) {
    for (const Fit fit : {Fit::lowest, Fit::snuggest}) {
      if (placement.looks() > most_looks) break;
      placement.remove_all();
      ++best.steps;
      // An order that needs as much as the best is given up.
      const Bytes most = best.offsets.empty() ? INT64_MAX : best.arena - 1;
      if (place_from(problem, placement, start, 0, fit, most) < start.size()) continue;
      const Bytes arena = arena_of(problem, placement.offsets());
      if (arena < best.arena) {
        best.arena = arena;
        best.offsets = placement.offsets();
        best.order = start;
      }
      best.looks = placement.looks();
      if (best.arena <= goal) return best;
    }
  }
  best.looks = placement.looks() + problem.items.size() * problem.items.size() / 8;  // the orders cost something, too
  return best;
}

namespace {

// An order, where it places the items, and what bears the topmost one.
struct Standing {
  std::vector<int> order;
  std::vector<Offset> offsets;
  Bytes arena = 0;
  std::vector<size_t> position;
  std::vector<int> bearers;
};

void look(const Problem& problem, const ConflictGraph& conflicts, Standing& standing) {
  standing.position.resize(standing.order.size());
  for (size_t k = 0; k < standing.order.size(); ++k) standing.position[Z(standing.order[k])] = k;
  standing.arena = arena_of(problem, standing.offsets);
  standing.bearers = find_bearers(problem, conflicts, standing.offsets, standing.arena);
}

// Items change places; the first position that differs.
size_t exchange(const Standing& current, Random& random, std::vector<int>& next, std::vector<int>& moved) {
  moved.clear();
  size_t first = next.size();
  const int moves = 1 + static_cast<int>(random.below(3));
  for (int m = 0; m < moves; ++m) {
    const size_t a = current.position[Z(
        current.bearers[Z(static_cast<int>(random.below(static_cast<int64_t>(current.bearers.size()))))])];
    const int64_t span = random.below(2) == 0 ? static_cast<int64_t>(next.size()) : static_cast<int64_t>(a) + 1;
    const auto b = static_cast<size_t>(random.below(span));
    std::swap(next[a], next[b]);
    moved.insert(moved.end(), {next[a], next[b]});
    first = std::min({first, a, b});
  }
  return first;
}

}  // namespace

Climbed climb(const Problem& problem, const ConflictGraph& conflicts, Bytes goal, uint64_t step_limit) {
  return climb(problem, conflicts, place_best(problem, conflicts, goal), goal, step_limit);
}

Climbed climb(const Problem& problem, const ConflictGraph& conflicts, Climbed best, Bytes goal, uint64_t step_limit) {
  if (problem.items.size() < 2) return best;
  Random random(1);
  Standing current{.order = best.order, .offsets = place_in_order(problem, conflicts, best.order, Fit::lowest)};
  look(problem, conflicts, current);
  Placement placement(problem, conflicts);
  std::vector<int> next, moved;
  std::vector<char> stale;
  const uint64_t begun = best.steps;
  uint64_t since = 0;
  while (best.steps < step_limit && best.arena > goal) {
    next = current.order;
    const size_t first = exchange(current, random, next, moved);
    // What stands before the first change stays where it is; a worse order need not be placed to its end.
    placement.offsets() = current.offsets;
    for (size_t k = first; k < next.size(); ++k) placement.remove(next[k]);
    const size_t reached =
        place_again(problem, conflicts, current.offsets, moved, placement, next, first, current.arena, stale);
    ++best.steps;
    note_progress("packing, orders of placement", best.steps);
    ++since;
    const bool worse = reached < next.size() || arena_of(problem, placement.offsets()) > current.arena;
    if (!worse || random.below(100) < 2) {
      place_from(problem, placement, next, reached, Fit::lowest, INT64_MAX);
      std::swap(current.order, next);
      current.offsets = placement.offsets();
      look(problem, conflicts, current);
      if (current.arena < best.arena) {
        best.arena = current.arena;
        best.offsets = current.offsets;
        best.order = current.order;
        since = 0;
      }
    }
    if (since > 0 && since % 500 == 0) {  // back to the best order known
      current.order = best.order;
      current.offsets = place_in_order(problem, conflicts, current.order, Fit::lowest);
      look(problem, conflicts, current);
    }
  }
  best.looks += placement.looks() + (best.steps - begun) * problem.items.size();
  return best;
}

}  // namespace tarn::planner
