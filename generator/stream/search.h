// The borders that pack best: from the best by count, step by step, with the packer as judge.
#pragma once
#include <limits>
#include <vector>

#include "planner/plan.h"
#include "stream/lives.h"
#include "stream/packing.h"
#include "stream/work.h"

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
  int effort = 1;    // each step allows eight times the nodes
  int64_t room = 0;  // bytes that are there: among plans that fit, the cheapest will do
  // Placements of the orders that each search begins with: many small rings pack better with more.
  uint64_t placements = 400;
  uint64_t part = 1;                                     // of the work that a plan may take: the inverse
  int64_t useful = std::numeric_limits<int64_t>::max();  // bytes; what stays well above them is not finished
};

// Packed quickly: finish() does it thoroughly. Lines in tables only where less than `below` is alive at once; else
// there is no plan, and its arena is the most there can be. When its work is done, what has been found will do.
Candidate search_borders(const Net& net, Lines lines, const SearchLimits& limits, int64_t below, Work& work);

// The rings of these borders alone; a goal that will do.
Candidate pack_borders(const Net& net, std::vector<bool> borders, const SearchLimits& limits, int64_t limit,
                       Work& work);

// The packer's own search on the borders that have been chosen. Slots of rings stand apart where that pays.
void finish(const Net& net, Candidate& candidate, const SearchLimits& limits);

}  // namespace tarn::stream
