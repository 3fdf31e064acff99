#include "stream/schedule/pack_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "planner/conflicts.h"
#include "planner/hill_climb.h"
#include "planner/index.h"
#include "support/text.h"

namespace tarn::stream {

namespace {

using planner::Forbidden;
using planner::Item;

bool meet(const Item& a, const Item& b) { return std::max(a.first, b.first) < std::min(a.end, b.end); }

// Where the rule of two items is not the plain one.
using Listed = std::unordered_map<int64_t, const std::vector<Forbidden>*>;

int64_t key_of(size_t a, size_t b) { return static_cast<int64_t>(a << 32 | b); }

Listed listed_in(const planner::Problem& problem) {
  Listed listed;
  for (const planner::Pair& pair : problem.pairs) listed.emplace(key_of(Z(pair.a), Z(pair.b)), &pair.forbidden);
  return listed;
}

// Of two items, in one problem.
void add_rule(const planner::Problem& problem, const Listed& listed, size_t a, size_t b, std::vector<Forbidden>& all) {
  const auto found = listed.find(key_of(a, b));
  if (found != listed.end()) {
    all.insert(all.end(), found->second->begin(), found->second->end());
  } else if (meet(problem.items[a], problem.items[b])) {
    all.push_back({-problem.items[b].size, problem.items[a].size});
  }
}

// The rings of all heights are those of the height that needs the longest.
bool lengthen_rings(std::vector<SizedNet>& sizes, PackedSizes& found) {
  std::vector<int64_t> slots = sizes.back().lives.slots;
  for (const SizedNet& size : sizes) {
    for (size_t m = 0; m < slots.size(); ++m) slots[m] = std::max(slots[m], size.lives.slots[m]);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    for (size_t m = 0; m < slots.size(); ++m) {
      if (slots[m] == 0 || sizes[i].lives.slots[m] > 0 || sizes[i].net->outside[m]) continue;
      found.obstacle = cat("'", sizes[i].net->names[m], "' has no lines that anything needs");
      found.at = i;
      return false;
    }
    // What stands in one piece may have lines of its own.
    const Net &own = *sizes[i].net, &most = *sizes.back().net;
    for (size_t m = 0; m < slots.size(); ++m) {
      if (own.memories[m].line_bytes == most.memories[m].line_bytes) sizes[i].lives.slots[m] = slots[m];
    }
  }
  return true;
}

// Is each slot of these rings an item? Lines are made in order: at the height that needs the ring most as many of them
// live as it has slots.
bool all_there(const std::vector<Packed>& items) {
  std::map<int, int64_t> missing;  // by memory
  for (const Packed& packed : items) --missing.try_emplace(packed.memory, packed.step).first->second;
  return std::all_of(missing.begin(), missing.end(), [](const auto& memory) { return memory.second == 0; });
}

// The slots of short rings as items of their own, at all heights.
std::optional<Packing> slots_of(const std::vector<SizedNet>& sizes, const SearchLimits& limits) {
  const SizedNet& largest = sizes.back();
  const Packing top = make_packing(*largest.net, largest.steps, largest.lives, Places::slots, limits.alignment);
  if (!all_there(top.items)) return {};
  std::vector<Packing> packings;
  for (const SizedNet& size : sizes) {
    packings.push_back(make_packing(*size.net, size.steps, size.lives, top.items, limits.alignment));
  }
  return merge_packings(packings);
}

}  // namespace

Packing merge_packings(const std::vector<Packing>& packings) {
  Packing merged;
  merged.places = packings.back().places;
  merged.items = packings.back().items;
  planner::Problem& problem = merged.problem;
  problem.items = packings.back().problem.items;
  std::vector<Listed> listed;
  for (const Packing& packing : packings) {
    listed.push_back(listed_in(packing.problem));
    problem.known_bound = std::max(problem.known_bound, packing.problem.known_bound);
    for (size_t i = 0; i < problem.items.size(); ++i)
      problem.items[i].size = std::max(problem.items[i].size, packing.problem.items[i].size);
  }
  std::vector<Forbidden> all;
  for (size_t a = 0; a < problem.items.size(); ++a) {
    for (size_t b = a + 1; b < problem.items.size(); ++b) {
      all.clear();
      for (size_t i = 0; i < packings.size(); ++i) add_rule(packings[i].problem, listed[i], a, b, all);
      std::vector<Forbidden> joined = planner::join_forbidden(all), plain;
      if (meet(problem.items[a], problem.items[b])) plain = {{-problem.items[b].size, problem.items[a].size}};
      if (joined != plain) problem.pairs.push_back({static_cast<int>(a), static_cast<int>(b), std::move(joined)});
    }
  }
  return merged;
}

PackedSizes pack_sizes(const std::vector<bool>& cuts, std::vector<SizedNet> sizes, const SearchLimits& limits) {
  PackedSizes found;
  if (!lengthen_rings(sizes, found)) return found;
  std::vector<Packing> packings;
  for (size_t i = sizes.size(); i-- > 0;) {
    const SizedNet& size = sizes[i];
    packings.push_back(make_packing(*size.net, size.steps, size.lives, Places::together, limits.alignment));
    const auto same = [](const Packed& x, const Packed& y) { return x.memory == y.memory && x.line == y.line; };
    const std::vector<Packed>&own = packings.back().items, &most = packings.front().items;
    if (std::equal(own.begin(), own.end(), most.begin(), most.end(), same)) continue;
    found.obstacle = "other memories are needed";
    found.at = i;
    return found;
  }
  std::reverse(packings.begin(), packings.end());
  PackedCuts candidate{.cuts = cuts, .steps = {}, .lives = sizes.back().lives, .packing = {}, .plan = {}};
  candidate.packing = merge_packings(packings);
  const planner::Problem& problem = candidate.packing.problem;
  const planner::ConflictGraph conflicts = planner::ConflictGraph::build(problem);
  const planner::Climbed climbed = planner::climb(problem, conflicts, problem.known_bound, limits.placements);
  candidate.plan.offsets = climbed.offsets;
  candidate.plan.arena = climbed.arena;
  candidate.plan.search_nodes = climbed.steps;
  solve_packing(candidate, limits);
  if (may_spread(candidate)) {
    if (std::optional<Packing> slots = slots_of(sizes, limits)) spread_slots(candidate, std::move(*slots), limits);
  }
  for (SizedNet& size : sizes) {
    candidate.steps = std::move(size.steps);
    candidate.lives = std::move(size.lives);
    found.sizes.push_back(candidate);
  }
  return found;
}

}  // namespace tarn::stream
