// Sharings of bytes that a plan is better off without.
#pragma once
#include <set>
#include <vector>

#include "lifetimes/planning.h"

namespace tarn::lifetimes {

// Positions in `planning.sharings` that `offsets` (by item) make use of although the kernel is slow then: a matrix that
// is transposed where it lies takes about ten times as long as one that is written elsewhere.
std::vector<size_t> slow_sharings(const Planning& planning, const std::vector<planner::Offset>& offsets);

// The same planning without the sharings of some pairs of items: positions in `planning.problem.pairs`.
Planning without_pairs(Planning planning, const std::set<size_t>& pairs);

}  // namespace tarn::lifetimes
