// Several memories instead of one: which items go into which, so that each memory's items fit it and the traffic
// through the slower ones is least. See note [split] in split.cc.
#pragma once
#include <cstdint>
#include <vector>

#include "planner/plan.h"

namespace tarn::planner {

constexpr size_t kMostBanks = 16;

struct SplitProblem {
  Problem problem;                // without a capacity
  std::vector<Bytes> capacities;  // of the banks, the fastest first; at most kMostBanks
  std::vector<uint32_t> allowed;  // by item: bit b is set when bank b may hold it; never 0
  std::vector<Bytes> traffic;     // by item, at least 0: what a place one bank further down costs
};

struct Split {
  std::vector<int> bank;    // by item
  std::vector<Plan> plans;  // by bank: of its own items, within its capacity; none when there is no split
  bool found() const { return !plans.empty(); }
  Bytes cost = 0;                  // sum of traffic times the number of the bank, over all items
  Bytes lower_bound = 0;           // proved: no split that fits costs less
  Proof proof = Proof::undecided;  // optimal, best_found, infeasible (proved) or undecided
  std::vector<int> core;           // infeasible: items that together have no place
  uint64_t search_nodes = 0;
};

// The items of one bank with the pairs among them, in the order given.
Problem restrict_to(const Problem& problem, const std::vector<int>& items);

std::vector<int> items_of_bank(const std::vector<int>& bank, int which);

Split split(const SplitProblem& problem, const Limits& limits);

}  // namespace tarn::planner
