#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "planner/conflicts.h"
#include "planner/plan.h"
#include "planner/random.h"
#include "planner/validate.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using test::random_problem;

Item item(Instant first, Instant end, Bytes size, Bytes alignment = 1) {
  Item out;
  out.id = "i" + std::to_string(first) + "_" + std::to_string(size);
  out.first = first;
  out.end = end;
  out.size = size;
  out.alignment = alignment;
  return out;
}

Plan best(const Problem& problem) {
  Plan plan = solve(problem, Strategy::automatic, {});
  EXPECT_TRUE(validate(problem, plan).empty());
  return plan;
}

TEST(Solve, ExampleOfTheHeader) {
  const Plan plan = best({{item(0, 2, 3), item(1, 4, 2), item(2, 4, 2)}, {}, {}, 0});
  EXPECT_EQ(plan.arena, 5);
  EXPECT_EQ(plan.proof, Proof::optimal);
}

TEST(Solve, NothingToPlace) {
  EXPECT_EQ(best({}).arena, 0);
  EXPECT_EQ(best({}).proof, Proof::optimal);
  const Plan plan = best({{item(3, 3, 100), item(1, 2, 0)}, {}, {}, 0});
  EXPECT_EQ(plan.arena, 0);
  EXPECT_EQ(plan.offsets.size(), 2u);
}

TEST(Solve, NaiveSharesNothing) {
  const Problem problem{{item(0, 1, 3), item(5, 6, 4, 4)}, {}, {}, 0};
  const Plan plan = solve(problem, Strategy::naive, {});
  EXPECT_EQ(plan.arena, 8);
  EXPECT_EQ(plan.proof, Proof::none);
}

// Many items are searched in an order of their own: what is said of them is by the places at which they are listed.
TEST(Solve, CoresOfManyItemsAreByTheirPlaces) {
  Problem problem;
  for (int k = 0; k < 600; ++k) problem.items.push_back(item(1200 - 2 * k, 1201 - 2 * k, 1));
  for (int k : {100, 300, 500}) problem.items[static_cast<size_t>(k)] = item(5500 - k, 6000, 4);
  problem.capacity = 11;
  const Plan plan = solve(problem, Strategy::automatic, {});
  EXPECT_EQ(plan.proof, Proof::infeasible);
  EXPECT_EQ(plan.core, (std::vector<int>{100, 300, 500}));
  problem.pairs = {{300, 100, {{-2, 4}}}};  // they need two bytes less
  const Plan paired = solve(problem, Strategy::automatic, {});
  EXPECT_TRUE(paired.arena == 10 || paired.arena == 11) << paired.arena;
  EXPECT_TRUE(validate(problem, paired).empty());
}

// The same items listed otherwise are placed as they were.
TEST(Solve, ManyItemsArePlacedAlikeHoweverTheyAreListed) {
  using Placed = std::vector<std::tuple<Instant, Instant, Bytes, Bytes, Offset, size_t, Offset>>;
  Random random(5);
  Problem problem;
  for (int k = 0; k < 600; ++k) {
    const Instant first = random.below(40);
    Item i = item(first, first + 3 + random.below(2), 1 + random.below(3), 1 + random.below(2));
    if (random.below(3) == 0) i.hint = random.below(3);
    if (random.below(3) == 0) i.gaps.push_back({first + 1, first + 2, {}, {}});
    problem.items.push_back(i);
  }
  problem.items[7].offset = 40;
  const auto placed = [&](Strategy strategy) {
    const Plan plan = solve(problem, strategy, {.effort = 0});
    EXPECT_TRUE(validate(problem, plan).empty());
    Placed all;
    for (size_t k = 0; k < plan.offsets.size(); ++k) {
      const Item& i = problem.items[k];
      all.emplace_back(i.first, i.end, i.size, i.alignment, i.hint.value_or(-1), i.gaps.size(), plan.offsets[k]);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const Strategy strategy :
       {Strategy::naive, Strategy::greedy_by_size, Strategy::first_fit, Strategy::hill_climb}) {
    const Placed before = placed(strategy);
    EXPECT_EQ(before.size(), 600u);
    for (int round = 0; round < 3; ++round) {
      for (size_t k = problem.items.size(); k > 1; --k)
        std::swap(problem.items[k - 1], problem.items[static_cast<size_t>(random.below(static_cast<int64_t>(k)))]);
      EXPECT_EQ(placed(strategy), before);
    }
  }
}

// 2 and 3 units must alternate: no plan reaches the most that is alive at once (5).
TEST(Solve, OptimumAboveTheBytesAlive) {
  Problem problem;
  problem.items = {item(0, 2, 1), item(1, 3, 1), item(2, 4, 1), item(3, 5, 1), item(0, 1, 2),
                   item(1, 2, 1), item(2, 3, 1), item(3, 4, 1), item(4, 5, 2)};
  const Plan plan = best(problem);
  EXPECT_EQ(plan.proof, Proof::optimal);
}

TEST(Solve, AlignmentCountsInTheBound) {
  // Three items of 17 bytes on multiples of 16: 32 + 32 + 17.
  const Plan plan = best({{item(0, 1, 17, 16), item(0, 1, 17, 16), item(0, 1, 17, 16)}, {}, {}, 0});
  EXPECT_EQ(plan.arena, 81);
  EXPECT_EQ(plan.lower_bound, 81);
  EXPECT_EQ(plan.proof, Proof::optimal);
}

TEST(Solve, MixedAlignments) {
  const Plan plan = best({{item(0, 1, 3, 1), item(0, 1, 8, 8), item(0, 1, 4, 4)}, {}, {}, 0});
  EXPECT_EQ(plan.arena, 15);  // 8 at 0, 4 at 8, 3 at 12
  EXPECT_EQ(plan.proof, Proof::optimal);
}

TEST(Solve, FixedItemsStayWhereTheyAre) {
  Problem problem{{item(0, 4, 4), item(1, 2, 4), item(2, 3, 10)}, {}, {}, 0};
  problem.items[0].offset = 6;
  for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
    const Plan plan = solve(problem, static_cast<Strategy>(s), {});
    EXPECT_TRUE(validate(problem, plan).empty());
    EXPECT_EQ(plan.offsets[0], 6);
  }
  EXPECT_EQ(best(problem).arena, 20);
  EXPECT_EQ(best(problem).proof, Proof::optimal);
}

TEST(Solve, FixedItemsUponEachOtherAreTheCore) {
  Problem problem{{item(0, 4, 4), item(1, 2, 4), item(2, 3, 4)}, {}, {}, 0};
  problem.items[0].offset = 2;
  problem.items[2].offset = 5;
  const Plan plan = best(problem);
  EXPECT_EQ(plan.proof, Proof::infeasible);
  EXPECT_EQ(plan.core, (std::vector<int>{0, 2}));
}

// An output that may start one byte below its dying input: a chain drifts, and the optimum is above the bytes alive.
TEST(Solve, OverlapAlongAChain) {
  Problem problem;
  for (int i = 0; i < 5; ++i) problem.items.push_back(item(i, i + 1, 10));
  for (int i = 0; i + 1 < 5; ++i) problem.pairs.push_back({i, i + 1, {{-1, 10}}});
  const Plan plan = best(problem);
  EXPECT_EQ(plan.arena, 14);
  EXPECT_EQ(plan.proof, Proof::optimal);
}

// Two rings whose lines may interleave: several intervals.
TEST(Solve, SeveralIntervals) {
  Problem problem{{item(0, 1, 5), item(0, 1, 5)}, {{0, 1, {{-5, -3}, {-3, 3}, {3, 5}}}}, {}, 0};
  EXPECT_EQ(best(problem).arena, 8);
  EXPECT_EQ(best(problem).proof, Proof::optimal);
}

TEST(Solve, PairsOfItemsThatNeverMeetHold) {
  const Problem problem{{item(0, 1, 5), item(7, 8, 5)}, {{0, 1, {{-5, 5}}}}, {}, 0};
  EXPECT_EQ(best(problem).arena, 10);
  EXPECT_EQ(best(problem).proof, Proof::optimal);
}

TEST(Solve, CapacityMet) {
  Problem problem{{item(0, 2, 3), item(1, 4, 2), item(2, 4, 2)}, {}, {}, 0};
  problem.capacity = 5;
  EXPECT_EQ(best(problem).arena, 5);
}

// The plan of nearly the same problem: no search where little has to move, and never a larger arena.
TEST(Solve, HintsAreWhereToBegin) {
  Random random(7);
  int searched = 0, spared = 0;
  for (int round = 0; round < 100; ++round) {
    Problem problem =
        random_problem(random, {.items = 14, .sizes = 9, .instants = 9, .pairs = true, .alignments = round % 2 == 0});
    const Plan plan = best(problem);
    problem.known_bound = plan.lower_bound;
    for (size_t i = 0; i < plan.offsets.size(); ++i) problem.items[i].hint = plan.offsets[i];
    const Plan same = best(problem);
    EXPECT_EQ(same.arena, plan.arena);
    EXPECT_EQ(same.search_nodes, 0u);
    problem.known_bound = 0;
    for (Item& i : problem.items) i.hint = round % 3 == 0 ? INT64_MAX : random.below(40);
    EXPECT_EQ(best(problem).arena, plan.arena);
    for (Item& i : problem.items) i.hint.reset();
    for (size_t i = 0; i < plan.offsets.size(); ++i) problem.items[i].hint = plan.offsets[i];
    ++problem.items[static_cast<size_t>(random.below(14))].end;
    const Plan hinted = best(problem);
    for (Item& i : problem.items) i.hint.reset();
    const Plan unhinted = best(problem);
    EXPECT_EQ(hinted.arena, unhinted.arena);
    searched += unhinted.search_nodes > 0;
    spared += hinted.search_nodes == 0;
  }
  EXPECT_GT(searched, 50);
  EXPECT_GT(spared, 15);
}

TEST(Solve, CoreIsMinimal) {
  Problem problem{{item(0, 2, 3), item(1, 4, 2), item(2, 4, 2), item(0, 9, 1), item(6, 7, 1)}, {}, {}, 0};
  problem.capacity = 4;
  const Plan plan = best(problem);
  EXPECT_EQ(plan.proof, Proof::infeasible);
  EXPECT_EQ(plan.core, (std::vector<int>{0, 1}));
  EXPECT_TRUE(plan.offsets.empty());
}

TEST(Solve, StrategiesWithoutSearchDoNotRefute) {
  Problem problem{{item(0, 2, 1), item(1, 4, 2), item(3, 6, 2), item(5, 7, 1), item(0, 7, 1)}, {}, {}, 0};
  problem.capacity = 5;
  const Plan plan = solve(problem, Strategy::naive, {});
  EXPECT_EQ(plan.proof, Proof::undecided);
  EXPECT_TRUE(validate(problem, plan).empty());
}

TEST(Solve, NamesOfStrategies) {
  for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
    const auto strategy = static_cast<Strategy>(s);
    EXPECT_EQ(strategy_from(to_string(strategy)), strategy);
  }
  EXPECT_FALSE(strategy_from("automatic"));
}

// Intervals are open: where two touch, the difference between them is allowed.
TEST(Conflicts, ForbiddenDifferencesAreJoinedWhereTheyOverlap) {
  using All = std::vector<Forbidden>;
  EXPECT_EQ(join_forbidden({{5, 9}, {0, 5}}), (All{{0, 5}, {5, 9}}));
  EXPECT_EQ(join_forbidden({{4, 9}, {0, 5}}), (All{{0, 9}}));
  EXPECT_EQ(join_forbidden({{0, 9}, {2, 5}, {9, 11}}), (All{{0, 9}, {9, 11}}));
}

}  // namespace
}  // namespace tarn::planner
