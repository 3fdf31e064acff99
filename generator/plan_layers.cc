#include "plan_layers.h"

#include <algorithm>

#include "lifetimes/slow_sharings.h"
#include "planner/validate.h"
#include "support/check.h"
#include "tuning.h"

namespace tarn {

namespace {

bool searches(planner::Strategy strategy) {
  return strategy == planner::Strategy::automatic || strategy == planner::Strategy::exact;
}

// A plan that breaks a law is a fault of ours, never handed on.
void check_plan(const planner::Problem& problem, const planner::Plan& plan) {
  const std::vector<planner::Violation> violations = planner::validate(problem, plan);
  if (!violations.empty()) TARN_FAIL("invalid plan: " + violations.front().text);
}

// How tensors lie in buffers, before anything is ordered.
struct Stored {
  lifetimes::Storage storage;
  std::shared_ptr<const std::vector<lifetimes::Storage>> sizes;
};

Stored store(const program::Program& program, const CompileOptions& options, const Variant& variant) {
  std::vector<lifetimes::Storage> sizes;
  for (const program::Program* size : variant.sizes)
    sizes.push_back(lifetimes::assign_storage(*size, variant.share, options.caller_io));
  return {lifetimes::assign_storage(program, variant.share, options.caller_io),
          std::make_shared<const std::vector<lifetimes::Storage>>(std::move(sizes))};
}

lifetimes::PlanningOptions planning_options(const CompileOptions& options, const Variant& variant,
                                            const std::vector<lifetimes::Storage>& sizes, int64_t block_budget) {
  lifetimes::PlanningOptions planning{variant.share, options.alignment, block_budget, {}};
  for (size_t i = 0; i < sizes.size(); ++i) planning.sizes.push_back({variant.sizes[i], &sizes[i]});
  return planning;
}

// One order; its plan knows the bound alone so far.
Planned prepare(const program::Program& program, const CompileOptions& options, const Variant& variant,
                const Stored& stored, const schedule::Ordering& ordering, const schedule::Order& order) {
  Planned planned;
  planned.schedule = schedule::make_schedule(program, ordering, order);
  planned.planning = lifetimes::make_planning(program, stored.storage, planned.schedule,
                                              planning_options(options, variant, *stored.sizes, 0));
  planned.plan.lower_bound = planner::lower_bound(planned.planning.problem);
  planned.storage = stored.storage;
  planned.sizes = stored.sizes;
  return planned;
}

void pack(const CompileOptions& options, const Variant& variant, int64_t below, Planned& planned) {
  const int effort = options.order_only ? 0 : options.effort;  // a quick plan tells which order is good
  planned.plan = planner::solve(planned.planning.problem, variant.strategy, {effort, below});
  check_plan(planned.planning.problem, planned.plan);
}

// Where a plan of nearly the same problem has put things.
void hint(const planner::Plan& plan, lifetimes::Planning& planning) {
  for (size_t i = 0; i < plan.offsets.size(); ++i) planning.problem.items[i].hint = plan.offsets[i];
}

// The same schedule with slack for blocks of pixels, where that costs next to nothing.
Planned with_blocks(const program::Program& program, const CompileOptions& options, const Variant& variant,
                    Planned tight) {
  const int64_t budget = tight.plan.arena + tight.plan.arena / kBlockPart;
  lifetimes::Planning planning = lifetimes::make_planning(program, tight.storage, tight.schedule,
                                                          planning_options(options, variant, *tight.sizes, budget));
  if (planning.problem == tight.planning.problem) return tight;
  // What is apart in the tight plan is further apart here: no plan of this problem is smaller than the least tight one.
  planning.problem.known_bound = std::max(planning.problem.known_bound, tight.plan.lower_bound);
  hint(tight.plan, planning);
  planner::Plan plan = planner::solve(planning.problem, variant.strategy, {options.effort});
  check_plan(planning.problem, plan);
  if (plan.arena > budget) return tight;
  plan.search_nodes += tight.plan.search_nodes;
  tight.plan = std::move(plan);
  tight.planning = std::move(planning);
  return tight;
}

// The same, with what would be slow where it lies written elsewhere, as far as the arena does not grow for it.
Planned without_slow(const CompileOptions& options, const Variant& variant, Planned best) {
  size_t kept = 0;  // sharings that turned out to be worth it
  for (int tries = 0; tries < kMostSharingTries; ++tries) {
    const std::vector<size_t> slow = lifetimes::slow_sharings(best.planning, best.plan.offsets);
    if (kept >= slow.size()) break;
    lifetimes::Planning planning = lifetimes::without_pairs(best.planning, {best.planning.sharings[slow[kept]].pair});
    // This problem has no smaller plans than the one with the sharing, and what that search did not find is not looked
    // for again.
    planning.problem.known_bound = best.plan.arena;
    hint(best.plan, planning);
    planner::Plan plan = planner::solve(planning.problem, variant.strategy, {options.effort, best.plan.arena + 1});
    // Where the first search proved nothing, another one may find less than it did.
    plan.lower_bound = std::min(plan.lower_bound, plan.arena);
    check_plan(planning.problem, plan);
    best.plan.search_nodes += plan.search_nodes;
    if (plan.arena > best.plan.arena) {
      ++kept;
      continue;
    }
    best.plan.offsets = std::move(plan.offsets);
    best.plan.arena = plan.arena;
    if (plan.arena <= best.plan.lower_bound) best.plan.proof = planner::Proof::optimal;
    best.planning = std::move(planning);
  }
  return best;
}

// Not every order of the least peak packs at its peak: others are tried before the arena grows, those of the least
// bound first.
Planned pack_best(const program::Program& program, const CompileOptions& options, const Variant& variant,
                  const Stored& stored, const schedule::Ordering& ordering, const schedule::Order& order) {
  const int tries = kOrdersTried[static_cast<size_t>(std::clamp(options.effort, 0, 3))];
  const bool searching = searches(variant.strategy);
  // The order's cost model knows no alignment: an excess of a few padded ends over its peak is no reason to look
  // further.
  const int64_t padded_peak = order.peak + 4 * options.alignment;
  const auto is_enough = [&](const planner::Plan& plan) {
    return plan.arena <= order.peak || (plan.proof == planner::Proof::optimal && plan.arena <= padded_peak);
  };
  // Nor is what they could win at most, where it is next to nothing of a large arena.
  const auto trifle = [&](const planner::Plan& plan) { return std::max<int64_t>(1, plan.arena / kTriflePart); };
  std::vector<Planned> others;
  const auto prepare_others = [&] {
    for (std::vector<int>& operators : schedule::alternatives(ordering.problem, order, {order.operators}, tries - 1)) {
      schedule::Order other = order;
      other.operators = std::move(operators);
      others.push_back(prepare(program, options, variant, stored, ordering, other));
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const Planned& a, const Planned& b) { return a.plan.lower_bound < b.plan.lower_bound; });
  };
  Planned best = prepare(program, options, variant, stored, ordering, order);
  const bool hopeless = best.plan.lower_bound > padded_peak;
  if (searching && tries > 1 && hopeless) {
    prepare_others();
    if (!others.empty() && others.front().plan.lower_bound < best.plan.lower_bound) std::swap(best, others.front());
  }
  pack(options, variant, INT64_MAX, best);
  if (searching && tries > 1 && !hopeless && !is_enough(best.plan)) prepare_others();
  for (Planned& other : others) {
    if (is_enough(best.plan)) break;
    if (other.plan.lower_bound + trifle(best.plan) > best.plan.arena) continue;
    pack(options, variant, best.plan.arena, other);
    other.plan.search_nodes += best.plan.search_nodes;
    if (other.plan.arena < best.plan.arena) best = std::move(other);
    else best.plan.search_nodes = other.plan.search_nodes;
  }
  return best;
}

}  // namespace

Planned plan_tight(const program::Program& program, const CompileOptions& options, const Variant& variant) {
  const Stored stored = store(program, options, variant);
  const schedule::Ordering ordering =
      schedule::make_ordering(program, stored.storage, variant.share, variant.order, {options.effort});
  schedule::Order order;
  for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
  if (variant.order == schedule::OrderKind::given) {
    order.peak = schedule::peak_of(ordering.problem, order.operators);
    Planned planned = prepare(program, options, variant, stored, ordering, order);
    pack(options, variant, INT64_MAX, planned);
    return planned;
  }
  order = schedule::min_peak(ordering.problem, {options.effort});
  return pack_best(program, options, variant, stored, ordering, order);
}

namespace {

// Divides what has been planned as one arena among the banks.
Result<lifetimes::Banked> divide(const program::Program& program, const CompileOptions& options,
                                 const Planned& planned) {
  Result<std::vector<uint32_t>> allowed =
      lifetimes::allowed_banks(program, planned.storage, planned.planning, options.memory, options.model_path);
  if (!allowed) return allowed.faults();
  const bool given = options.order == schedule::OrderKind::given;
  const lifetimes::BankRequest request{
      options.memory.banks,
      std::move(*allowed),
      {options.share, options.alignment, 0},
      options.strategy,
      {options.effort},
      given,
      given ? planned.plan.lower_bound : std::min(planned.plan.lower_bound, planned.schedule.lower_bound),
      options.blocks && options.share.overlap ? kBlockPart : 0};
  lifetimes::Banked banked =
      lifetimes::plan_banks(program, planned.storage, planned.schedule, planned.planning, request);
  planner::Plan joined;  // all banks behind each other: the whole problem holds there too
  joined.offsets = banked.offsets;
  for (size_t i = 0; i < joined.offsets.size(); ++i)
    joined.arena = std::max(joined.arena, joined.offsets[i] + planned.planning.problem.items[i].size);
  check_plan(planned.planning.problem, joined);
  return banked;
}

// The plan as everything downstream reads it: sums over the banks.
void take_banks(lifetimes::Banked banked, Planned& planned, Analysis& analysis) {
  planner::Plan& plan = planned.plan;
  plan.offsets = banked.offsets;
  plan.arena = banked.arena();
  plan.lower_bound = banked.lower_bound();
  plan.search_nodes += banked.search_nodes;
  plan.proof = planner::Proof::optimal;
  for (const lifetimes::BankPlan& bank : banked.plans) {
    if (bank.proof != planner::Proof::optimal && plan.proof != planner::Proof::none) plan.proof = bank.proof;
  }
  analysis.banked = std::move(banked);
}

}  // namespace

Result<Done> plan_memory(const CompileOptions& options, Planned& planned, Analysis& analysis) {
  if (options.memory.banks.empty()) return Done{};
  Result<lifetimes::Banked> banked = divide(analysis.program, options, planned);
  if (!banked) return banked.faults();
  if (!banked->fits && !banked->proved && options.order == schedule::OrderKind::min_peak) {
    // The order of least peak in all need not be the one that divides best.
    Planned other =
        plan_tight(analysis.program, options, {options.strategy, schedule::OrderKind::given, options.share});
    Result<lifetimes::Banked> again = divide(analysis.program, options, other);
    if (again && again->fits) {
      again->floor = banked->floor;
      planned = std::move(other);
      banked = std::move(again);
    }
  }
  take_banks(std::move(*banked), planned, analysis);
  return Done{};
}

Planned plan_variant(const program::Program& program, const CompileOptions& options, const Variant& variant) {
  Planned planned = plan_tight(program, options, variant);
  if (options.blocks && variant.share.overlap) planned = with_blocks(program, options, variant, std::move(planned));
  return searches(variant.strategy) ? without_slow(options, variant, std::move(planned)) : planned;
}

int64_t naive_arena(const program::Program& program, const CompileOptions& options) {
  return plan_variant(program, options, {planner::Strategy::naive, schedule::OrderKind::given, {false, false, false}})
      .plan.arena;
}

void take(Planned planned, Analysis& analysis) {
  analysis.storage = std::move(planned.storage);
  analysis.schedule = std::move(planned.schedule);
  analysis.planning = std::move(planned.planning);
  analysis.plan = std::move(planned.plan);
}

}  // namespace tarn
