// Lower bounds on the arena. lower_bound() itself is declared in plan.h.
#pragma once
#include <vector>

#include "planner/problem.h"

namespace tarn::planner {

// An interval of time in which the set of items alive does not change, and that is contained in no other such set.
struct PeakSet {
  Bytes bytes = 0;         // no plan is smaller
  Instant at = 0;          // begins there
  std::vector<int> items;  // alive there
};
// The items that prove the max-live part of lower_bound().
PeakSet peak_set(const Problem& problem);

// The greatest number of which every alignment is a multiple; at least 1.
Bytes common_alignment(const Problem& problem);

// The least value >= `arena` that an arena can have: some item ends there.
Bytes reachable_arena(const Problem& problem, Bytes arena);

// The least arena after `capacity`, below which the items of `core` alone are proved not to fit.
Bytes bound_behind(const Problem& problem, const std::vector<int>& core, Bytes capacity);

}  // namespace tarn::planner
