// Packing lines that each stand for themselves: many small items with short lives, few of which can be exchanged by
// chance.
#pragma once
#include "planner/hill_climb.h"

namespace tarn::stream {

// Starts from the best of the promising orders, of those that half of `most_looks` at conflicts suffice for. What
// reaches into the top of the excess over `goal` is placed earlier, other items anywhere; orders that are no worse are
// kept. Stops at `goal`, after `step_limit` placements or when there have been all looks.
planner::Climbed raise_lines(const planner::Problem& problem, const planner::ConflictGraph& conflicts,
                             planner::Bytes goal, uint64_t step_limit, uint64_t most_looks = UINT64_MAX);

}  // namespace tarn::stream
