// Searches for the segment cuts whose packing is smallest. Starts from the cuts with the fewest live bytes, and changes
// a few cuts at a time; the packer judges each change.
#pragma once
#include <limits>
#include <vector>

#include "planner/plan.h"
#include "stream/cost/work.h"
#include "stream/schedule/lives.h"
#include "stream/schedule/packing.h"

namespace tarn::stream {

struct Costs;

struct PackedCuts {
  std::vector<bool> cuts;
  std::vector<Step> steps;
  Lives lives;
  Packing packing;
  planner::Plan plan;
};

struct SearchLimits {
  int64_t alignment = 16;
  int effort = 1;  // each step allows eight times the nodes
  int64_t budget =
      0;  // bytes of memory; among plans that fit them the fastest is taken. 0: the smallest plan is wanted
  int64_t time_by_layers = 0;    // instructions of a run; 0: not known
  const Costs* costs = nullptr;  // of joined layers (stream/cost/chain_cost.h); none: they are estimated
  // How many items are placed greedily, in different orders, before the search begins. Many small rings need more.
  uint64_t placements = 400;
  uint64_t part = 1;                                     // this search may take one part in `part` of a plan's work
  int64_t useful = std::numeric_limits<int64_t>::max();  // bytes; plans far above this are not packed thoroughly
};

// The best cuts found within the work allowed, with a quick packing; finish() packs thoroughly. Lines in tables are
// packed only if fewer than `below` bytes are alive at once; otherwise the candidate's arena is INT64_MAX.
PackedCuts search_cuts(const Net& net, Lines lines, const SearchLimits& limits, int64_t below, Work& work);

// Packs the rings that these cuts need, and stops as soon as the arena is at most `limit`. If it is not found, the
// candidate's arena is INT64_MAX.
PackedCuts pack_cuts(const Net& net, std::vector<bool> cuts, const SearchLimits& limits, int64_t limit, Work& work);

// Solves the candidate's packing with the exact search; the plan that it has is a start.
void solve_packing(PackedCuts& candidate, const SearchLimits& limits);

// What slots of short rings as items of their own would have to save.
bool may_spread(const PackedCuts& rings);
// Takes `spread`, the same lines as such items, if it saves that.
void spread_slots(PackedCuts& rings, Packing spread, const SearchLimits& limits);

// Packs the chosen cuts with the exact search. Slots of short rings become items of their own where that saves memory.
void finish(const Net& net, PackedCuts& candidate, const SearchLimits& limits);

}  // namespace tarn::stream
