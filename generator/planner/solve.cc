#include <algorithm>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/greedy.h"
#include "planner/hill_climb.h"
#include "planner/minimise.h"
#include "planner/placement.h"
#include "planner/plan.h"

namespace tarn::planner {

namespace {

// Nodes that a search visits at effort 0.
constexpr uint64_t kNodes = 25'000;
constexpr size_t kMostConflicts = 16'000'000;

uint64_t scaled(uint64_t nodes, const Limits& limits) { return nodes << (3 * std::clamp(limits.effort, 0, 3)); }

bool searches(Strategy strategy) { return strategy == Strategy::exact || strategy == Strategy::automatic; }

// Nothing fits the capacity, and `core` proves it.
Plan refute(const Problem& problem, Plan plan, std::vector<int> core, const Limits& limits) {
  plan.offsets.clear();
  plan.arena = 0;
  plan.proof = Proof::infeasible;
  plan.lower_bound = std::max(plan.lower_bound, *problem.capacity + 1);
  plan.core = shrink_core(problem, std::move(core), *problem.capacity, scaled(kNodes / 4, limits));
  return plan;
}

}  // namespace

Plan solve(const Problem& problem, Strategy strategy, const Limits& limits) {
  Plan plan;
  plan.lower_bound = lower_bound(problem);
  const std::optional<ConflictGraph> conflicts = ConflictGraph::build(problem, kMostConflicts);
  if (!conflicts) return plan;
  if (const auto collision = fixed_collision(problem, *conflicts)) {
    plan.proof = Proof::infeasible;
    plan.core = {collision->first, collision->second};
    return plan;
  }
  if (problem.capacity && plan.lower_bound > *problem.capacity) return refute(problem, plan, peak_set(problem).items, limits);
  const Bytes goal = std::max(plan.lower_bound, problem.capacity.value_or(0));
  if (strategy == Strategy::hill_climb || searches(strategy)) {
    const uint64_t steps = scaled(20'000, limits) / (problem.items.size() + 1) + 20;
    Climbed climbed = climb(problem, *conflicts, goal, steps);
    plan.offsets = std::move(climbed.offsets);
    plan.search_nodes = climbed.steps;
  } else {
    plan.offsets = place_greedily(problem, *conflicts, strategy);
  }
  plan.arena = arena_of(problem, plan.offsets);
  const uint64_t nodes = scaled(kNodes, limits);
  if (searches(strategy) && problem.capacity && plan.arena > *problem.capacity) {
    Decision decision = decide(problem, *conflicts, *problem.capacity, nodes, plan.offsets);
    plan.search_nodes += decision.nodes;
    if (decision.verdict == Verdict::refuted) return refute(problem, plan, decision.core, limits);
    if (decision.verdict == Verdict::found) {
      plan.offsets = std::move(decision.offsets);
      plan.arena = arena_of(problem, plan.offsets);
    }
  } else if (searches(strategy) && !problem.capacity) {
    close_gap(problem, *conflicts, nodes, plan);
  }
  if (plan.arena <= plan.lower_bound) plan.proof = Proof::optimal;
  else plan.proof = searches(strategy) ? Proof::best_found : Proof::none;
  if (problem.capacity && plan.arena > *problem.capacity) {
    plan.offsets.clear();
    plan.arena = 0;
    plan.proof = Proof::undecided;
  }
  return plan;
}

}  // namespace tarn::planner
