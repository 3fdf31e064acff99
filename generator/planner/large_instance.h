// Planning for very many items: no list of all conflicts is made. See note [ejection] in large_instance.cc.
#pragma once
#include <vector>

#include "planner/plan.h"
#include "planner/tuning.h"  // kLargeInstance, for those who ask

namespace tarn::planner {

struct LargePlan {
  std::vector<Offset> offsets;
  Bytes arena = 0;
  uint64_t steps = 0;  // placements of single items
};

// One of the greedy strategies.
LargePlan place_large(const Problem& problem, Strategy strategy);

// The best of several orders, then ejection towards `goal`. `effort` as in Limits.
LargePlan pack_large(const Problem& problem, Bytes goal, int effort);

}  // namespace tarn::planner
