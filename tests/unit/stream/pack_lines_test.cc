#include "stream/schedule/pack_lines.h"

#include <gtest/gtest.h>

#include "planner/greedy.h"
#include "planner/placement.h"
#include "planner/random.h"
#include "planner/validate.h"

namespace tarn::stream {
namespace {

// Lines of several lengths, each alive for a few steps, beside blocks that stay long.
planner::Problem lines_of(uint64_t seed, int count) {
  planner::Random random(seed);
  planner::Problem problem;
  for (int i = 0; i < count; ++i) {
    planner::Item item;
    item.id = "line" + std::to_string(i);
    const bool block = random.below(10) == 0;
    item.size = 4 * (1 + random.below(block ? 60 : 20));
    item.alignment = 4;
    item.first = static_cast<planner::Instant>(random.below(60));
    item.end = item.first + 1 + static_cast<planner::Instant>(random.below(block ? 40 : 8));
    problem.items.push_back(item);
  }
  return problem;
}

TEST(PackLines, PlacementsAreValidAndNeverWorseThanTheOrdersItStartsFrom) {
  int better = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const planner::Problem problem = lines_of(seed, 80);
    const planner::ConflictGraph conflicts = planner::ConflictGraph::build(problem);
    const planner::Bytes goal = planner::lower_bound(problem);
    const planner::Climbed start = planner::place_best(problem, conflicts, goal);
    const planner::Climbed raised = raise_lines(problem, conflicts, goal, 2000);
    ASSERT_EQ(raised.offsets.size(), problem.items.size());
    EXPECT_EQ(planner::arena_of(problem, raised.offsets), raised.arena);
    EXPECT_TRUE(planner::validate(problem, {.offsets = raised.offsets, .arena = raised.arena}).empty());
    EXPECT_LE(raised.arena, start.arena);
    EXPECT_GE(raised.arena, goal);
    EXPECT_LE(raised.steps, 2000u);
    better += raised.arena < start.arena ? 1 : 0;
  }
  EXPECT_GE(better, 2);
}

// The best of the orders to start from may have been fitted in a way that no order of the search is.
TEST(PackLines, WhatItStartsFromStaysWhereNothingBetterIsFound) {
  int kept = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const planner::Problem problem = lines_of(seed, 150);
    const planner::ConflictGraph conflicts = planner::ConflictGraph::build(problem);
    const planner::Climbed start = planner::place_best(problem, conflicts, 0);
    const planner::Climbed raised = raise_lines(problem, conflicts, 0, start.steps + 3);
    EXPECT_LE(raised.arena, start.arena);
    EXPECT_EQ(planner::arena_of(problem, raised.offsets), raised.arena);
    EXPECT_EQ(raised.steps, start.steps + 3);
    EXPECT_GT(raised.looks, start.looks);
    const planner::Bytes again =
        planner::arena_of(problem, planner::place_in_order(problem, conflicts, start.order, planner::Fit::lowest));
    kept += raised.offsets == start.offsets && start.arena < again;
  }
  EXPECT_GT(kept, 0);
}

TEST(PackLines, TheSameProblemGivesTheSameAnswer) {
  const planner::Problem problem = lines_of(5, 60);
  const planner::ConflictGraph conflicts = planner::ConflictGraph::build(problem);
  EXPECT_EQ(raise_lines(problem, conflicts, 0, 500).offsets, raise_lines(problem, conflicts, 0, 500).offsets);
}

TEST(PackLines, OneLineAndNone) {
  for (int count : {0, 1}) {
    const planner::Problem problem = lines_of(1, count);
    EXPECT_EQ(raise_lines(problem, planner::ConflictGraph::build(problem), 0, 100).offsets.size(),
              problem.items.size());
  }
}

}  // namespace
}  // namespace tarn::stream
