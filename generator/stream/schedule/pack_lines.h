// Packs single lines: many small items with short lives. Random exchanges of two items seldom help there, so items at
// the top are moved instead.
#pragma once
#include "planner/hill_climb.h"

namespace tarn::stream {

// Hill climbing on the order in which items are placed. It begins with the best of the greedy orders, for which half of
// `most_looks` (visits of conflicts) may be spent. A move takes items that end in the top quarter of the excess over
// `goal` to an earlier position, or any item to any position; it is kept if the arena does not grow. The search stops
// at `goal`, after `step_limit` placements, or after `most_looks` visits.
planner::Climbed raise_lines(const planner::Problem& problem, const planner::ConflictGraph& conflicts,
                             planner::Bytes goal, uint64_t step_limit, uint64_t most_looks = UINT64_MAX);

}  // namespace tarn::stream
