#include "planner/minimise.h"

#include <gtest/gtest.h>

#include "planner/validate.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

// One on top of the other: an arena that anything improves.
Plan stacked(const Problem& problem) {
  Plan plan;
  for (const Item& item : problem.items) {
    plan.offsets.push_back(plan.arena);
    plan.arena += item.size;
  }
  return plan;
}

// With a bound that no arena reaches, the search ends because its work is done, and not long after.
TEST(Minimise, EndsWhenItsWorkIsDone) {
  Random random(5);
  for (const bool pairs : {false, true}) {
    const Problem problem = test::random_problem(random, {60, 90, 40, 12, pairs});
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (const uint64_t limit : std::initializer_list<uint64_t>{500, 4000}) {
      Plan plan = stacked(problem);
      const Bytes before = plan.arena;
      plan.lower_bound = 1;
      close_gap(problem, conflicts, limit, plan.arena, plan);
      EXPECT_LE(plan.search_nodes, limit + 2'500);
      EXPECT_LE(plan.arena, before);
      EXPECT_TRUE(validate(problem, plan).empty());
    }
  }
}

TEST(Minimise, AsksForNoMoreThanLessThanTheArenaGiven) {
  Random random(6);
  const Problem problem = test::random_problem(random, {30, 40, 20, 8});
  const ConflictGraph conflicts = ConflictGraph::build(problem);
  Plan plan = stacked(problem);
  plan.lower_bound = 10;
  const Bytes before = plan.arena;
  close_gap(problem, conflicts, 1'000'000, 10, plan);
  EXPECT_EQ(plan.arena, before);
  EXPECT_EQ(plan.search_nodes, 0u);
}

// An arena above the bytes alive that is the least nevertheless is proved before orders of placement are tried, which
// would take a thousand of them.
TEST(Minimise, WhatAGlanceProvesIsNotSearched) {
  Random random(9);
  int above = 0, searched = 0;
  for (int round = 0; round < 60; ++round) {
    const Problem problem = test::random_problem(random, {.items = 18, .sizes = 40, .instants = 12, .pairs = true});
    const Plan plan = solve(problem, Strategy::automatic, {.effort = 1});
    EXPECT_TRUE(validate(problem, plan).empty());
    EXPECT_EQ(plan.proof, Proof::optimal);
    if (plan.arena == lower_bound(problem)) continue;
    ++above;
    searched += plan.search_nodes >= 900;
  }
  EXPECT_GE(above, 10);
  EXPECT_LE(searched, above / 10);
}

}  // namespace
}  // namespace tarn::planner
