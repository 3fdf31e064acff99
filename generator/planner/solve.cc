#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/greedy.h"
#include "planner/hill_climb.h"
#include "planner/large_instance.h"
#include "planner/minimise.h"
#include "planner/placement.h"
#include "planner/plan.h"
#include "planner/tuning.h"

namespace tarn::planner {

namespace {

uint64_t scaled(uint64_t amount, const Limits& limits) { return amount << (3 * std::clamp(limits.effort, 0, 3)); }

uint64_t climb_steps(const Problem& problem, const Limits& limits) {
  return scaled(kClimbSteps, limits) / (problem.items.size() + 1) + 20;
}

bool searches(Strategy strategy) { return strategy == Strategy::exact || strategy == Strategy::automatic; }

void take(const Problem& problem, Plan& plan, std::vector<Offset> offsets) {
  plan.offsets = std::move(offsets);
  plan.arena = arena_of(problem, plan.offsets);
}

// Nothing fits the capacity, and `core` proves it.
void refute(const Problem& problem, std::vector<int> core, const Limits& limits, Plan& plan) {
  plan.offsets.clear();
  plan.arena = 0;
  plan.proof = Proof::infeasible;
  plan.lower_bound = std::max(plan.lower_bound, *problem.capacity + 1);
  plan.core = shrink_core(problem, std::move(core), *problem.capacity, scaled(kSearchWork, limits));
}

// Items that prove the lower bound to be above the capacity.
std::vector<int> too_much(const Problem& problem) {
  PeakSet peak = peak_set(problem);
  if (peak.bytes > *problem.capacity) return std::move(peak.items);
  std::vector<int> all(problem.items.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void climb_to(const Problem& problem, const ConflictGraph& conflicts, Bytes goal, uint64_t steps, Plan& plan) {
  Climbed climbed = climb(problem, conflicts, goal, steps);
  plan.search_nodes += climbed.steps;
  if (plan.offsets.empty() || climbed.arena < plan.arena) take(problem, plan, std::move(climbed.offsets));
}

// The capacity is met, refuted, or left open.
void meet_capacity(const Problem& problem, const ConflictGraph& conflicts, const Limits& limits, Plan& plan) {
  const Bytes capacity = *problem.capacity;
  Decision decision = decide(problem, conflicts, capacity, scaled(kSearchWork, limits));
  plan.search_nodes += decision.nodes;
  if (decision.verdict == Verdict::found) take(problem, plan, std::move(decision.offsets));
  if (decision.verdict == Verdict::refuted) refute(problem, std::move(decision.core), limits, plan);
  if (decision.verdict == Verdict::out_of_nodes)
    climb_to(problem, conflicts, capacity, climb_steps(problem, limits) / 4, plan);
}

// Whether there is anything below at all: a climb does not find that out. Often a glance refutes it.
void look_below(const Problem& problem, const ConflictGraph& conflicts, const Limits& limits, Plan& plan) {
  uint64_t work = 0;
  while (std::min(plan.arena, limits.below) > plan.lower_bound && work < kGlanceWork) {
    const Bytes capacity = std::min(plan.arena, limits.below) - 1;
    Decision decision = decide(problem, conflicts, capacity, kGlanceWork - work);
    work += std::max<uint64_t>(1, decision.work);
    plan.search_nodes += decision.nodes;
    if (decision.verdict == Verdict::out_of_nodes) return;
    if (decision.verdict == Verdict::refuted)
      plan.lower_bound = std::min(plan.arena, bound_behind(problem, decision.core, capacity));
    else take(problem, plan, std::move(decision.offsets));
  }
}

void minimise(const Problem& problem, const ConflictGraph& conflicts, const Limits& limits, Plan& plan) {
  const bool plain = problem.pairs.empty();
  const uint64_t work = scaled(plain ? kPlainSearchWork : kSearchWork, limits);
  // The most that is alive is nearly always enough, so it is tried first, in several ways. Pairs are searched in one
  // way, and what takes long is left to close_gap(): an arena that is easily found may turn out to be the least one.
  for (int salt = 0; salt < (plain ? 3 : 1); ++salt) {
    Decision decision =
        decide(problem, conflicts, plan.lower_bound, plain ? work / (salt == 0 ? 4 : 8) : kGlanceWork, salt);
    plan.search_nodes += decision.nodes;
    if (decision.verdict == Verdict::found) return take(problem, plan, std::move(decision.offsets));
    if (decision.verdict == Verdict::refuted) {
      plan.lower_bound = bound_behind(problem, decision.core, plan.lower_bound);
      break;
    }
  }
  // Without pairs a glance has been had; at no effort a climb is shorter than one.
  if (!plain && limits.effort > 0) look_below(problem, conflicts, limits, plan);
  if (plan.lower_bound >= limits.below) return;
  if (plan.arena > plan.lower_bound)
    climb_to(problem, conflicts, plan.lower_bound, climb_steps(problem, limits) / 8, plan);
  close_gap(problem, conflicts, work, limits.below, plan);
}

void search(const Problem& problem, const ConflictGraph& conflicts, const Limits& limits, Plan& plan) {
  const Bytes goal = std::max(plan.lower_bound, problem.capacity.value_or(0));
  if (std::vector<Offset> near = place_near_hints(problem, conflicts, goal); !near.empty())
    take(problem, plan, std::move(near));
  if (plan.offsets.empty() || plan.arena > goal) {
    Climbed placed = place_best(problem, conflicts, goal);
    plan.search_nodes = placed.steps;
    if (plan.offsets.empty() || placed.arena < plan.arena) take(problem, plan, std::move(placed.offsets));
  }
  if (!problem.capacity) {
    if (std::min(plan.arena, limits.below) > plan.lower_bound) minimise(problem, conflicts, limits, plan);
  } else if (plan.arena > *problem.capacity) {
    meet_capacity(problem, conflicts, limits, plan);
  }
}

void plan_large(const Problem& problem, Strategy strategy, const Limits& limits, Plan& plan) {
  const bool improves = searches(strategy) || strategy == Strategy::hill_climb;
  LargePlan large = improves ? pack_large(problem, std::max(plan.lower_bound, problem.capacity.value_or(0)),
                                          std::clamp(limits.effort, 0, 3))
                             : place_large(problem, strategy);
  plan.offsets = std::move(large.offsets);
  plan.arena = large.arena;
  if (improves) plan.search_nodes = large.steps;
}

void plan_small(const Problem& problem, const ConflictGraph& conflicts, Strategy strategy, const Limits& limits,
                Plan& plan) {
  if (searches(strategy)) {
    search(problem, conflicts, limits, plan);
  } else if (strategy == Strategy::hill_climb) {
    climb_to(problem, conflicts, std::max(plan.lower_bound, problem.capacity.value_or(0)), climb_steps(problem, limits),
             plan);
  } else {
    take(problem, plan, place_greedily(problem, conflicts, strategy));
  }
}

// Positions of the items, so that equal problems are equal however their items are listed.
std::vector<size_t> by_content(const std::vector<Item>& items) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto key = [&](size_t i) {
    const Item& item = items[i];
    return std::tuple(item.first, item.end, -item.size, item.alignment, item.offset.value_or(-1),
                      item.hint.value_or(-1), item.gaps.size());
  };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

Plan solve_sorted(const Problem& problem, Strategy strategy, const Limits& limits) {
  Plan plan;
  plan.lower_bound = lower_bound(problem);
  if (const auto collision = fixed_collision(problem)) {
    plan.proof = Proof::infeasible;
    plan.core = {collision->first, collision->second};
    return plan;
  }
  if (problem.capacity && plan.lower_bound > *problem.capacity) {
    refute(problem, too_much(problem), limits, plan);
    return plan;
  }
  if (problem.items.size() > kLargeInstance) plan_large(problem, strategy, limits, plan);
  else plan_small(problem, ConflictGraph::build(problem), strategy, limits, plan);
  if (plan.proof == Proof::infeasible) return plan;
  if (plan.arena <= plan.lower_bound) plan.proof = Proof::optimal;
  else plan.proof = searches(strategy) ? Proof::best_found : Proof::none;
  if (problem.capacity && plan.arena > *problem.capacity) {
    plan.offsets.clear();
    plan.arena = 0;
    plan.proof = Proof::undecided;
  }
  return plan;
}

// The same problem with its items in another order, and its plan back in theirs.
Plan solve_in_order(const Problem& problem, const std::vector<size_t>& order, Strategy strategy, const Limits& limits) {
  std::vector<int> place(order.size());
  Problem sorted = problem;
  for (size_t i = 0; i < order.size(); ++i) {
    sorted.items[i] = problem.items[order[i]];
    place[order[i]] = static_cast<int>(i);
  }
  for (Pair& pair : sorted.pairs) {
    pair.a = place[static_cast<size_t>(pair.a)];
    pair.b = place[static_cast<size_t>(pair.b)];
  }
  Plan plan = solve_sorted(sorted, strategy, limits);
  if (!plan.offsets.empty()) {
    std::vector<Offset> offsets(order.size());
    for (size_t i = 0; i < order.size(); ++i) offsets[order[i]] = plan.offsets[i];
    plan.offsets = std::move(offsets);
  }
  for (int& item : plan.core) item = static_cast<int>(order[static_cast<size_t>(item)]);
  std::sort(plan.core.begin(), plan.core.end());
  return plan;
}

}  // namespace

Plan solve(const Problem& problem, Strategy strategy, const Limits& limits) {
  // A copy of millions would take more memory than the plan.
  if (problem.items.size() <= kFewItems || problem.items.size() > kManyItems)
    return solve_sorted(problem, strategy, limits);
  return solve_in_order(problem, by_content(problem.items), strategy, limits);
}

}  // namespace tarn::planner
