// The smallest arena, or the best that a limit allows, and what is proved of it.
#pragma once
#include "planner/conflicts.h"
#include "planner/plan.h"

namespace tarn::planner {

// Searches between plan.lower_bound and plan.arena, and improves both, as long as an arena less than `below` may exist.
// `plan` holds a placement; Problem::capacity is not looked at.
void close_gap(const Problem& problem, const ConflictGraph& conflicts, uint64_t work_limit, Bytes below, Plan& plan);

}  // namespace tarn::planner
