#include "stream/schedule/search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "planner/hill_climb.h"
#include "planner/large_instance.h"
#include "planner/random.h"
#include "stream/schedule/pack_lines.h"
#include "stream/schedule/pull.h"
#include "stream/schedule/segment_cuts.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

uint64_t scaled(uint64_t amount, int effort) { return amount << (3 * std::clamp(effort, 0, 3)); }

// Packs lines that are items of their own; `most`: visits of conflicts.
void raise(PackedCuts& candidate, uint64_t most, Work& work) {
  const planner::ConflictGraph conflicts = planner::ConflictGraph::build(candidate.packing.problem);
  work.done += kConflictCost * conflicts.size();
  const uint64_t looks = std::min(most, work.left() / kPlaceCost);
  planner::Climbed climbed = raise_lines(candidate.packing.problem, conflicts, candidate.lives.bound,
                                         20 + looks / (conflicts.size() + kStepWork), looks);
  work.done += kPlaceCost * climbed.looks;
  candidate.plan.search_nodes += climbed.steps;
  if (climbed.arena >= candidate.plan.arena) return;
  candidate.plan.offsets = std::move(climbed.offsets);
  candidate.plan.arena = climbed.arena;
}

class Search {
 public:
  Search(const Net& net, Lines lines, const SearchLimits& limits, int64_t below, Work& cost)
      : net_(net), lines_(lines), limits_(limits), below_(below), cost_(cost) {}

  PackedCuts run() {
    const uint64_t most = std::min(scaled(kCutWork, limits_.effort), cost_.left() / 2 / kCutCost);
    const SegmentCuts start = find_segment_cuts(net_, most);
    cost_.done += start.work * kCutCost;
    const size_t count = net_.nodes.size();
    best_.plan.arena = INT64_MAX;
    if (start.lines_bound - (start.complete ? 0 : start.lines_bound / kNearGoal) >= below_) return std::move(best_);
    try_cuts(start.by_lines, limits_.placements);
    try_cuts(start.by_rings, limits_.placements);
    try_cuts(std::vector<bool>(count + 1, true), limits_.placements);
    if (count < 500) try_cuts(std::vector<bool>(count + 1, false), limits_.placements);
    if (!far(best_.plan.arena, below_)) improve();
    if (lines_ == Lines::table) scatter(start.by_lines);
    return std::move(best_);
  }

  PackedCuts pack(std::vector<bool> cuts, int64_t limit) {
    best_.plan.arena = limit + 1;
    if (!try_cuts(std::move(cuts), kGoalPlacements, limit)) best_.plan.arena = INT64_MAX;
    return std::move(best_);
  }

 private:
  static bool far(int64_t arena, int64_t goal) { return arena - arena / kFarFromGoal > goal; }

  // Packs these cuts, and keeps them if they are the best. `goal`: an arena at which packing stops; 0: none.
  bool try_cuts(std::vector<bool> cuts, uint64_t placements, int64_t goal = 0) {
    // Cuts that were tried before cannot be better than the best known now.
    const auto [seen, first] = tried_.try_emplace(cuts);
    Tried& tried = seen->second;
    if (!first) {
      work_ += tried.steps + (tried.bound > best_.plan.arena ? 0 : tried.packing);
      return false;
    }
    if (cost_.over() && !best_.steps.empty()) return false;
    PackedCuts next;
    next.cuts = std::move(cuts);
    run_through(next);
    tried.steps = next.steps.size();
    tried.bound = next.lives.bound;
    work_ += tried.steps;
    if (next.lives.bound > best_.plan.arena) return false;
    next.packing = make_packing(net_, next.steps, next.lives, Places::together, limits_.alignment, false,
                                known_ ? &*known_ : nullptr);
    const planner::Problem& problem = next.packing.problem;
    const planner::ConflictGraph conflicts = planner::ConflictGraph::build(problem);
    cost_.done += kMeetCost * next.packing.looks + kConflictCost * conflicts.size();
    const planner::Bytes enough = std::max(next.lives.bound, goal);
    planner::Climbed climbed = planner::place_best(problem, conflicts, enough, cost_.left() / kPlaceCost);
    const int64_t wanted = goal > 0 ? goal : best_.plan.arena;
    if (!far(climbed.arena, wanted)) {
      // The work that is left limits the number of placements.
      const uint64_t left = cost_.left() / kPlaceCost / (conflicts.size() + problem.items.size() + 1);
      climbed = planner::climb(problem, conflicts, std::move(climbed), enough, std::min(placements, left));
    }
    cost_.done += kPlaceCost * climbed.looks;
    tried.arena = climbed.arena;
    tried.packing = climbed.steps * (problem.items.size() + conflicts.size() / 16);
    work_ += tried.packing;
    next.plan.offsets = climbed.offsets;
    next.plan.arena = climbed.arena;
    next.plan.search_nodes = climbed.steps;
    const bool better = next.plan.arena < best_.plan.arena ||
                        (next.plan.arena == best_.plan.arena && next.lives.bound < best_.lives.bound);
    if (!better) return false;
    best_ = std::move(next);
    known_.emplace(best_.packing, best_.steps);
    return true;
  }

  void run_through(PackedCuts& candidate) {
    candidate.steps = pull_all(net_, candidate.cuts);
    candidate.lives = find_lives(net_, candidate.steps);
    cost_.done += 2 * (kStepCost * candidate.steps.size() + kTouchCost * candidate.lives.touches);
  }

  // Flips a cut, moves one, or flips two.
  std::vector<bool> neighbour(std::vector<bool> cuts) {
    const auto inner = static_cast<int64_t>(net_.nodes.size()) - 1;
    const auto at = static_cast<size_t>(1 + random_.below(inner));
    switch (random_.below(3)) {
      case 0: cuts[at] = !cuts[at]; break;
      case 1: {
        const size_t other = random_.below(2) == 0 ? at + 1 : at - 1;
        if (other > 0 && other < net_.nodes.size()) {
          const bool keep = cuts[at];
          cuts[at] = cuts[other];
          cuts[other] = keep;
        }
        break;
      }
      default: {
        cuts[at] = !cuts[at];
        const auto second = static_cast<size_t>(1 + random_.below(inner));
        cuts[second] = !cuts[second];
      }
    }
    return cuts;
  }

  // Late acceptance (Burke and Bykov, 2017): a change is kept if it packs no worse than the cuts of kAcceptanceLength
  // tries ago, so that the search can leave a local optimum.
  void improve() {
    if (net_.nodes.size() < 2) return;
    const uint64_t limit = work_ + scaled(kJudgeWork, limits_.effort);
    const auto goes_on = [&] { return work_ < limit && !cost_.over() && best_.plan.arena > best_.lives.bound; };
    std::vector<int64_t> before(kAcceptanceLength, best_.plan.arena);
    std::vector<bool> kept = best_.cuts;
    int64_t arena = best_.plan.arena;
    size_t slot = 0;
    for (int failures = 0; failures < kMostFailures && goes_on();) {
      std::vector<bool> cuts = neighbour(kept);
      if (cuts == kept) {
        ++failures;
        continue;
      }
      failures = try_cuts(cuts, kQuickPlacements) ? 0 : failures + 1;
      const int64_t made = tried_.at(cuts).arena;
      if (made <= arena || made <= before[slot]) {
        kept = std::move(cuts);
        arena = made;
      }
      before[slot] = std::min(before[slot], arena);
      slot = (slot + 1) % kAcceptanceLength;
    }
  }

  // Single lines pack close to their bound. So the cuts with the least bound are candidates as well as those that pack
  // best in rings.
  void scatter(std::vector<bool> cuts) {
    known_.reset();  // it refers to best_, which changes
    PackedCuts rings = std::move(best_);
    best_ = {};
    least_bound(std::move(cuts));
    PackedCuts least = std::move(best_);
    best_ = std::move(rings);
    const bool same = least.cuts == best_.cuts;
    pack_lines(least);
    below_ = std::min({below_, least.plan.arena, best_.plan.arena});
    if (!same && !cost_.over()) {
      PackedCuts apart = best_;
      pack_lines(apart);
      if (apart.plan.arena <= best_.plan.arena) best_ = std::move(apart);
    }
    if (least.plan.arena <= best_.plan.arena) best_ = std::move(least);
  }

  void least_bound(std::vector<bool> cuts) {
    const auto measure = [&](std::vector<bool> tried) {
      PackedCuts next;
      next.cuts = std::move(tried);
      run_through(next);
      work_ += next.steps.size();
      return next;
    };
    best_ = measure(std::move(cuts));
    const uint64_t limit = work_ + scaled(kJudgeWork, limits_.effort);
    for (int failures = 0; failures < kMostFailures && work_ < limit && !cost_.over() && net_.nodes.size() > 1;) {
      PackedCuts next = measure(neighbour(best_.cuts));
      failures = next.lives.bound < best_.lives.bound ? 0 : failures + 1;
      if (next.lives.bound <= best_.lives.bound) best_ = std::move(next);
    }
  }

  // A quick packing; finish() packs the best candidate thoroughly.
  void pack_lines(PackedCuts& candidate) {
    candidate.plan.arena = INT64_MAX;
    if (candidate.lives.bound >= below_) return;
    const uint64_t meetings = count_meetings(net_, candidate.lives, Places::apart);
    if (meetings > std::min(kMostLineMeetings, cost_.left() / kMeetCost)) return;
    candidate.packing = make_packing(net_, candidate.steps, candidate.lives, Places::apart, limits_.alignment);
    cost_.done += kMeetCost * candidate.packing.looks;
    raise(candidate, scaled(kLineWork, limits_.effort), cost_);
  }

  const Net& net_;
  const Lines lines_;
  const SearchLimits limits_;
  int64_t below_;
  Work& cost_;  // of the whole plan; the limits of this search are counted in work_
  planner::Random random_{3};
  uint64_t work_ = 0;
  PackedCuts best_;
  std::optional<KnownPairs> known_;  // of the best
  struct Tried {
    uint64_t steps = 0, packing = 0;       // the work of the two
    int64_t bound = 0, arena = INT64_MAX;  // not packed: the most there can be
  };
  std::unordered_map<std::vector<bool>, Tried> tried_;
};

}  // namespace

PackedCuts search_cuts(const Net& net, Lines lines, const SearchLimits& limits, int64_t below, Work& work) {
  return Search(net, lines, limits, below, work).run();
}

PackedCuts pack_cuts(const Net& net, std::vector<bool> cuts, const SearchLimits& limits, int64_t limit, Work& work) {
  return Search(net, Lines::ring, limits, INT64_MAX, work).pack(std::move(cuts), limit);
}

namespace {

// With the table of addresses paid for.
int64_t enough_of(const PackedCuts& rings) { return rings.plan.arena - rings.plan.arena / kLeastGainOfLines; }

}  // namespace

bool may_spread(const PackedCuts& rings) { return rings.lives.bound <= enough_of(rings); }

void spread_slots(PackedCuts& rings, Packing packing, const SearchLimits& limits) {
  if (packing.items.size() == rings.packing.items.size()) return;
  Work work{0, scaled(kRaiseCost, limits.effort) / limits.part};
  PackedCuts spread;
  spread.packing = std::move(packing);
  spread.lives = rings.lives;
  spread.plan.arena = enough_of(rings) + 1;
  raise(spread, scaled(kLineWork, limits.effort), work);
  if (spread.plan.offsets.empty()) return;
  rings.packing = std::move(spread.packing);
  rings.plan.offsets = std::move(spread.plan.offsets);
  rings.plan.arena = spread.plan.arena;
  rings.plan.proof = planner::Proof::best_found;
}

void solve_packing(PackedCuts& candidate, const SearchLimits& limits) {
  // A long search seldom improves what a short one could not. So it is run only after a short one that found something.
  const auto solve = [&](int effort) {
    planner::Plan plan = planner::solve(candidate.packing.problem, planner::Strategy::automatic,
                                        {.effort = effort, .below = candidate.plan.arena});
    plan.search_nodes += candidate.plan.search_nodes;
    if (plan.arena >= candidate.plan.arena) {
      plan.offsets = candidate.plan.offsets;
      plan.arena = candidate.plan.arena;
    }
    return plan;
  };
  planner::Plan plan = solve(limits.effort == 1 ? 0 : limits.effort);
  if (limits.effort == 1 && limits.part == 1 && plan.arena < candidate.plan.arena && plan.arena > plan.lower_bound) {
    candidate.plan = std::move(plan);
    plan = solve(limits.effort);
  }
  plan.proof = plan.arena <= plan.lower_bound ? planner::Proof::optimal : planner::Proof::best_found;
  candidate.plan = std::move(plan);
}

void finish(const Net& net, PackedCuts& candidate, const SearchLimits& limits) {
  Work work{0, scaled(kRaiseCost, limits.effort) / limits.part};
  const bool apart = candidate.packing.places == Places::apart;
  if (apart) raise(candidate, 3 * scaled(kLineWork, limits.effort), work);
  // So many lines are packed by raise_lines() alone, which has run already.
  if (apart && candidate.packing.items.size() > planner::kLargeInstance) return;
  if (candidate.plan.arena - candidate.plan.arena / kMostGainOfRaising > limits.useful) return;
  solve_packing(candidate, limits);
  if (apart || !may_spread(candidate)) return;
  // The slots of short rings as items of their own.
  spread_slots(candidate, make_packing(net, candidate.steps, candidate.lives, Places::slots, limits.alignment), limits);
}

}  // namespace tarn::stream
