#include <algorithm>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/greedy.h"
#include "planner/hill_climb.h"
#include "planner/placement.h"
#include "planner/plan.h"

namespace tarn::planner {

namespace {

constexpr size_t kMostConflicts = 16'000'000;

uint64_t scaled(uint64_t nodes, const Limits& limits) { return nodes << (3 * std::clamp(limits.effort, 0, 3)); }

bool searches(Strategy strategy) { return strategy == Strategy::exact || strategy == Strategy::automatic; }

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
  if (plan.arena <= plan.lower_bound) plan.proof = Proof::optimal;
  else plan.proof = searches(strategy) ? Proof::best_found : Proof::none;
  if (problem.capacity && plan.arena > *problem.capacity) {
    plan.offsets.clear();
    plan.arena = 0;
    plan.proof = Proof::undecided;
    if (plan.lower_bound > *problem.capacity) {
      plan.proof = Proof::infeasible;
      plan.core = peak_set(problem).items;
    }
  }
  return plan;
}

}  // namespace tarn::planner
