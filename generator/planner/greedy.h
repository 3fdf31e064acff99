// The planners of common tools: items placed one after the other, in some order. They prove nothing.
#pragma once
#include <vector>

#include "planner/conflicts.h"
#include "planner/placement.h"
#include "planner/plan.h"

namespace tarn::planner {

// Offsets by one of naive, greedy_by_size, greedy_by_breadth, first_fit, best_fit.
std::vector<Offset> place_greedily(const Problem& problem, const ConflictGraph& conflicts, Strategy strategy);

// What the strategies consist of (naive has no order).
std::vector<int> greedy_order(const Problem& problem, Strategy strategy);
Fit greedy_fit(Strategy strategy);

// Places all items in the order given (fixed ones stay where they are).
std::vector<Offset> place_in_order(const Problem& problem, const ConflictGraph& conflicts,
                                   const std::vector<int>& order, Fit fit);

// Places the items from position `from` of the order on. Stops at one that costs memory and ends above `most`; the
// position after the last one placed.
size_t place_from(const Problem& problem, Placement& placement, const std::vector<int>& order, size_t from, Fit fit,
                  Bytes most);

// Does as place_from with Fit::lowest, where `before` is what another order places lowest: the same up to position
// `from`, and behind it but for the items `moved`, which stood elsewhere. An item stays where it was as long as nothing
// that comes or goes beneath it can matter. `stale` is room to work in.
size_t place_again(const Problem& problem, const ConflictGraph& conflicts, const std::vector<Offset>& before,
                   const std::vector<int>& moved, Placement& placement, const std::vector<int>& order, size_t from,
                   Bytes most, std::vector<char>& stale);

// Near the hints, in the ways there are until one needs no more than `goal`; the least. Empty: there are no hints.
std::vector<Offset> place_near_hints(const Problem& problem, const ConflictGraph& conflicts, Bytes goal);

// Orders worth trying, the most promising first.
std::vector<std::vector<int>> promising_orders(const Problem& problem);

}  // namespace tarn::planner
