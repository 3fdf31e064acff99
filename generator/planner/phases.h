// When an item holds which of its bytes: its life cut up by its gaps.
#pragma once
#include <vector>

#include "planner/problem.h"

namespace tarn::planner {

struct Phase {
  Instant first = 0, end = 0;          // half-open, not empty
  Bytes byte_first = 0, byte_end = 0;  // bytes of the item in use, not empty
};

// Ascending in time. Empty for an item that is never alive or has no bytes.
std::vector<Phase> phases_of(const Item& item);

// An item without gaps has at most one phase, all of it.
inline bool is_whole(const Item& item) { return item.gaps.empty(); }
inline bool is_alive(const Item& item) { return item.first < item.end && item.size > 0; }

}  // namespace tarn::planner
