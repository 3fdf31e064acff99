#include "stream/schedule/pack_lines.h"

#include <algorithm>

#include "planner/greedy.h"
#include "planner/index.h"
#include "planner/phases.h"
#include "planner/placement.h"
#include "planner/random.h"
#include "support/progress.h"

namespace tarn::stream {

namespace {

// Positions in the order of the items that end in the top quarter of what is above the goal.
std::vector<size_t> find_topmost(const planner::Problem& problem, const planner::Climbed& best, planner::Bytes goal) {
  const planner::Bytes above = best.arena - (best.arena - goal) / 4;
  std::vector<size_t> topmost;
  for (size_t k = 0; k < best.order.size(); ++k) {
    const size_t i = Z(best.order[k]);
    if (planner::is_alive(problem.items[i]) && best.offsets[i] + problem.items[i].size >= above) topmost.push_back(k);
  }
  return topmost;
}

// Takes an item from one position to another; those between move up or down by one.
void shift(std::vector<int>& order, size_t from, size_t to) {
  const auto at = [&](size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
  if (to < from) std::rotate(at(to), at(from), at(from + 1));
  else std::rotate(at(from), at(from + 1), at(to + 1));
}

// The first position that differs.
size_t vary(const std::vector<size_t>& topmost, planner::Random& random, std::vector<int>& order,
            std::vector<int>& moved) {
  moved.clear();
  const auto count = static_cast<int64_t>(order.size());
  size_t first = order.size();
  for (int64_t moves = 1 + random.below(4); moves > 0; --moves) {
    const bool top = random.below(2) == 0;
    const auto from = static_cast<int64_t>(top ? topmost[Z(random.below(static_cast<int64_t>(topmost.size())))]
                                               : Z(random.below(count)));
    const int64_t by = top ? -random.below(count) : random.below(2 * count / 3 + 1) - count / 3;
    const int64_t to = std::clamp<int64_t>(from + by, 0, count - 1);
    moved.push_back(order[Z(from)]);
    shift(order, Z(from), Z(to));
    first = std::min({first, Z(from), Z(to)});
  }
  return first;
}

}  // namespace

planner::Climbed raise_lines(const planner::Problem& problem, const planner::ConflictGraph& conflicts,
                             planner::Bytes goal, uint64_t step_limit, uint64_t most_looks) {
  planner::Climbed best = planner::place_best(problem, conflicts, goal, most_looks / 2);
  if (problem.items.size() < 2) return best;
  // From the order itself, that places beneath each other what the best way of fitting may have spread.
  planner::Placement placement(problem, conflicts);
  std::vector<planner::Offset> current = planner::place_in_order(problem, conflicts, best.order, planner::Fit::lowest);
  planner::Climbed found = std::move(best);
  best = {.offsets = current, .arena = planner::arena_of(problem, current), .order = found.order, .steps = found.steps};
  const uint64_t begun = best.steps;
  planner::Random random(7);
  std::vector<size_t> topmost = find_topmost(problem, best, goal);
  std::vector<int> next, moved;
  std::vector<char> stale;
  const auto looks = [&] { return found.looks + placement.looks() + (best.steps - begun) * problem.items.size(); };
  while (best.steps < step_limit && best.arena > goal && looks() < most_looks) {
    next = best.order;
    const size_t first = vary(topmost, random, next, moved);
    placement.offsets() = best.offsets;
    for (size_t k = first; k < next.size(); ++k) placement.remove(next[k]);
    const size_t reached =
        planner::place_again(problem, conflicts, best.offsets, moved, placement, next, first, best.arena, stale);
    ++best.steps;
    note_progress("packing, orders of placement", best.steps);
    if (reached < next.size()) continue;
    const planner::Bytes arena = planner::arena_of(problem, placement.offsets());
    if (arena > best.arena) continue;
    std::swap(best.order, next);
    best.offsets = placement.offsets();
    best.arena = arena;
    topmost = find_topmost(problem, best, goal);
  }
  best.looks = looks();
  if (found.arena < best.arena) {
    found.steps = best.steps;
    found.looks = best.looks;
    return found;
  }
  return best;
}

}  // namespace tarn::stream
