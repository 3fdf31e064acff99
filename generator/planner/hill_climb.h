// Improving an order of placement step by step.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/conflicts.h"
#include "planner/problem.h"

namespace tarn::planner {

struct Climbed {
  std::vector<Offset> offsets;
  Bytes arena = 0;
  std::vector<int> order;  // of placement
  uint64_t steps = 0;      // placements of the whole problem
  uint64_t looks = 0;      // conflicts looked at in all of them
};

// The best of the promising orders; stops at `goal`, or when `most_looks` conflicts have been looked at.
Climbed place_best(const Problem& problem, const ConflictGraph& conflicts, Bytes goal,
                   uint64_t most_looks = UINT64_MAX);

// Starts from the best of the promising orders. Stops at `goal` or after `step_limit` placements.
Climbed climb(const Problem& problem, const ConflictGraph& conflicts, Bytes goal, uint64_t step_limit);

// The same from what place_best has found.
Climbed climb(const Problem& problem, const ConflictGraph& conflicts, Climbed best, Bytes goal, uint64_t step_limit);

}  // namespace tarn::planner
