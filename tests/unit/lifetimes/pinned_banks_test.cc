// Random programs in several memories: which buffers go where, and what is proved, in a digest.
#include <gtest/gtest.h>

#include "lifetimes/banks.h"
#include "planner/plan.h"
#include "property/digest.h"
#include "property/random_flow.h"

namespace tarn::lifetimes {
namespace {

void add(test::Digest& digest, const Banked& banked) {
  digest.add(banked.bank_of).add(banked.offsets).add(banked.cost).add(banked.cost_bound).add(banked.proof);
  digest.add(banked.fits).add(banked.proved).add(banked.core).add(banked.search_nodes).add(banked.floor);
  digest.add(banked.arena()).add(banked.lower_bound());
  for (const BankPlan& plan : banked.plans)
    digest.add(plan.base).add(plan.arena).add(plan.lower_bound).add(plan.proof).add(plan.traffic);
}

schedule::Schedule as_listed(const Program& program, const Storage& storage) {
  const schedule::Ordering ordering = schedule::make_ordering(program, storage, {}, schedule::OrderKind::given, {});
  schedule::Order order;
  for (size_t i = 0; i < ordering.operations.size(); ++i) order.operators.push_back(static_cast<int>(i));
  return schedule::make_schedule(program, ordering, order);
}

TEST(PinnedBanks, OfRandomPrograms) {
  test::Digest digest;
  int fits = 0, proved = 0, open = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    planner::Random random(seed);
    const Program program = testing::RandomFlow(seed).program;
    const Storage storage = assign_storage(program, {}, random.below(5) == 0);
    const schedule::Schedule schedule = as_listed(program, storage);
    BankRequest request;
    request.planning.alignment = 1 + 3 * random.below(2);
    const Planning planning = make_planning(program, storage, schedule, request.planning);
    digest.add(traffic_of(program, storage, schedule, planning));
    if (planning.items.size() > 15) continue;  // a split of more takes long to refute
    const planner::Plan whole = planner::solve(planning.problem, planner::Strategy::automatic, {0});
    const int64_t banks = 2 + random.below(2);
    for (int64_t b = 0; b < banks; ++b)
      request.banks.push_back({"bank", 1 + whole.arena * (10 + random.below(60)) / 100, "", true});
    for (size_t i = 0; i < planning.items.size(); ++i) {
      const int64_t all = (1 << banks) - 1;
      request.allowed.push_back(static_cast<uint32_t>(random.below(4) == 0 ? 1 + random.below(all) : all));
    }
    request.limits.effort = 0;
    request.order_is_given = random.below(2) == 0;
    request.floor = random.below(2) == 0 ? 0 : std::max<int64_t>(0, whole.lower_bound - random.below(4));
    request.block_part = random.below(2) == 0 ? 0 : 1 + random.below(8);
    const Banked banked = plan_banks(program, storage, schedule, planning, request);
    add(digest, banked);
    ++(banked.fits ? fits : banked.proved ? proved : open);
  }
  EXPECT_GT(fits, 10);
  EXPECT_GT(proved, 3);
  EXPECT_GT(open, 3);
  EXPECT_EQ(digest.value(), 5467991125269223484u);
}

// A strategy that is no search makes the plans it is asked for, whatever the split has found.
TEST(Banks, AreAsTheStrategyAskedForHasThem) {
  int larger = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Program program = testing::RandomFlow(seed).program;
    const Storage storage = assign_storage(program, {}, false);
    const schedule::Schedule schedule = as_listed(program, storage);
    BankRequest request;
    request.strategy = planner::Strategy::naive;
    request.limits.effort = 0;
    const Planning planning = make_planning(program, storage, schedule, request.planning);
    if (planning.items.empty() || planning.items.size() > 15) continue;
    const planner::Plan naive = planner::solve(planning.problem, request.strategy, {0});
    const planner::Plan best = planner::solve(planning.problem, planner::Strategy::automatic, {0});
    request.banks = {{"near", naive.arena, "", true}, {"far", naive.arena, "", true}};
    request.allowed.assign(planning.items.size(), 1);
    const Banked banked = plan_banks(program, storage, schedule, planning, request);
    EXPECT_EQ(banked.plans[0].arena, naive.arena) << seed;
    larger += naive.arena > best.arena;
  }
  EXPECT_GT(larger, 5);
}

// What the split has packed into a bank is taken where the search for the bank alone ends before it finds as much: in
// these programs the first plan is larger than the bank.
TEST(Banks, KeepWhatTheSplitHasPacked) {
  for (const uint64_t seed : {14u, 24u}) {
    for (const planner::Strategy strategy : {planner::Strategy::automatic, planner::Strategy::exact}) {
      const Program program = testing::RandomFlow(seed).program;
      const Storage storage = assign_storage(program, {}, false);
      const schedule::Schedule schedule = as_listed(program, storage);
      BankRequest request;
      request.strategy = strategy;
      const Planning planning = make_planning(program, storage, schedule, request.planning);
      const planner::Plan whole = planner::solve(planning.problem, planner::Strategy::greedy_by_size, {0});
      request.banks = {{"near", whole.lower_bound, "", true}, {"far", 4 * whole.arena, "", true}};
      request.allowed.assign(planning.items.size(), 3);
      request.limits = {.effort = 0, .below = 1};
      EXPECT_TRUE(plan_banks(program, storage, schedule, planning, request).fits) << seed;
    }
  }
}

}  // namespace
}  // namespace tarn::lifetimes
