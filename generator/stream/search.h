// The borders that pack best: from the best by count, step by step, with the packer as judge.
#pragma once
#include <vector>

#include "planner/plan.h"
#include "stream/lives.h"
#include "stream/packing.h"

namespace tarn::stream {

struct Candidate {
  std::vector<bool> borders;
  std::vector<Step> steps;
  Lives lives;
  Packing packing;
  planner::Plan plan;
};

struct SearchLimits {
  int64_t alignment = 16;
  int effort = 1;       // each step allows eight times the nodes
};

// Rings are packed quickly: finish() does it thoroughly.
Candidate search_borders(const Net& net, Lines lines, const SearchLimits& limits);

// The packer's own search on the borders that have been chosen. For rings; lines in tables are packed by it anyway.
void finish(Candidate& candidate, const SearchLimits& limits);

}  // namespace tarn::stream
