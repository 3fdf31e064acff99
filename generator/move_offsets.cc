#include "move_offsets.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "lifetimes/slow_sharings.h"
#include "planner/conflicts.h"
#include "planner/greedy.h"
#include "planner/validate.h"

namespace tarn {

namespace {

using lifetimes::BufferId;

// Buffers that are looked for at one address at all sizes.
std::set<BufferId> staying(const program::Program& program, const lifetimes::Storage& storage) {
  std::set<BufferId> buffers;
  const auto add = [&](program::TensorId id) {
    if (id.valid()) buffers.insert(storage[id].buffer);
  };
  add(program.set_size);
  add(program.image);
  for (const program::TensorId id : program.states) add(id);
  for (const program::TensorId id : program.symbols) add(id);
  for (const program::Operation& operation : program.operations) {
    if (operation.staging) add(operation.staging->buffer);
  }
  return buffers;
}

// From the lowest on; those that stay are placed before any other.
std::vector<int> order_of(const planner::Plan& plan) {
  std::vector<int> order(plan.offsets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return plan.offsets[static_cast<size_t>(a)] < plan.offsets[static_cast<size_t>(b)];
  });
  return order;
}

// What may share memory at a size, but for what the plan of the largest size is better off without.
lifetimes::Planning planning_at(const CompileOptions& options, const program::Program& program, const Planned& largest,
                                int64_t block_budget) {
  const lifetimes::Storage storage = lifetimes::assign_storage(program, options.share, options.caller_io);
  lifetimes::Planning planning = lifetimes::make_planning(program, storage, largest.schedule,
                                                          {options.share, options.alignment, block_budget, {}});
  const std::vector<lifetimes::Sharing>& kept = largest.planning.sharings;
  std::set<size_t> lost;  // pairs
  for (const lifetimes::Sharing& sharing : planning.sharings) {
    const bool same_place = std::any_of(sharing.reaches.begin(), sharing.reaches.end(),
                                        [](const lifetimes::Reach& r) { return r.same_place; });
    const bool there = std::any_of(kept.begin(), kept.end(), [&](const lifetimes::Sharing& other) {
      return other.taker == sharing.taker && other.giver == sharing.giver && other.step == sharing.step;
    });
    if (same_place && !there) lost.insert(sharing.pair);
  }
  return without_pairs(std::move(planning), lost);
}

// The plan at one size: in that order of buffers, or as the planner finds it where that takes more than `enough` bytes.
// Nothing where the buffers that stay are too close.
std::optional<planner::Plan> settle(planner::Problem problem, const std::vector<int>& order, int64_t enough) {
  problem.known_bound = 0;
  planner::Plan plan;
  plan.offsets = planner::place_in_order(problem, planner::ConflictGraph::build(problem), order, planner::Fit::lowest);
  plan.arena = planner::arena_of(problem, plan.offsets);
  if (plan.arena > enough) {
    planner::Plan other = planner::solve(problem, planner::Strategy::automatic, {0});
    if (planner::validate(problem, other).empty() && other.arena < plan.arena) plan = std::move(other);
  }
  if (!planner::validate(problem, plan).empty()) return {};
  return plan;
}

}  // namespace

std::optional<MovedOffsets> move_offsets(const CompileOptions& options, const SizeSpan& span,
                                         const std::vector<Analysis>& sizes, int64_t one_set) {
  const program::Program& largest = sizes[span.sizes.back()].program;
  MovedOffsets moved{plan_variant(largest, options, {options.strategy, options.order, options.share, {}}), {}};
  Planned& planned = moved.planned;
  if (planned.plan.lower_bound >= one_set) return {};
  const std::vector<int> order = order_of(planned.plan);
  const std::set<BufferId> stay = staying(largest, planned.storage);
  const bool blocks = options.blocks && options.share.overlap;
  int64_t arena = 0;
  for (const size_t i : span.sizes) {
    const program::Program& program = sizes[i].program;
    std::optional<planner::Plan> plan;
    // With room for blocks of pixels, as the plan of the largest has, then without.
    for (const int64_t budget : {blocks ? planned.plan.arena : 0, int64_t{0}}) {
      planner::Problem problem = planning_at(options, program, planned, budget).problem;
      for (size_t k = 0; k < problem.items.size(); ++k) {
        if (stay.contains(planned.planning.items[k])) problem.items[k].offset = planned.plan.offsets[k];
      }
      plan = settle(std::move(problem), order, planned.plan.arena);
      if (plan && plan->arena < one_set) break;
    }
    if (!plan || plan->arena >= one_set) return {};
    arena = std::max(arena, plan->arena);
    moved.sizes.push_back(std::move(*plan));
  }
  planned.plan.offsets = moved.sizes.back().offsets;
  planned.plan.arena = arena;
  planned.plan.proof = arena == planned.plan.lower_bound ? planner::Proof::optimal : planner::Proof::best_found;
  return moved;
}

}  // namespace tarn
