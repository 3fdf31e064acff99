// The exact search behind a quick packing: what it leaves is a plan, whether or not the longer search comes to run.
#include <gtest/gtest.h>

#include <limits>

#include "planner/validate.h"
#include "stream/schedule/search.h"
#include "unit/planner/random_problem.h"

namespace tarn::stream {
namespace {

TEST(SolvePacking, LeavesAPlanAndMoreEffortNoWorseOne) {
  planner::Random random(17);
  int open = 0, longer = 0;
  for (int round = 0; round < 7; ++round) {
    planner::test::Mix mix;
    mix.items = 16 + 2 * round;
    mix.pairs = round % 2 == 0;
    mix.alignments = mix.gaps = round % 4 > 1;
    mix.sizes = 1000;
    mix.instants = 24;
    mix.lives = 14;
    PackedCuts start;
    start.packing.problem = planner::test::random_problem(random, mix);
    start.plan.arena = std::numeric_limits<int64_t>::max();
    int64_t before = std::numeric_limits<int64_t>::max();
    uint64_t nodes = 0;
    for (const int effort : {0, 1}) {
      PackedCuts candidate = start;
      SearchLimits limits;
      limits.effort = effort;
      solve_packing(candidate, limits);
      ASSERT_TRUE(planner::validate(candidate.packing.problem, candidate.plan).empty()) << round;
      ASSERT_LE(candidate.plan.arena, before) << round;
      ASSERT_GE(candidate.plan.arena, candidate.plan.lower_bound) << round;
      const bool optimal = candidate.plan.proof == planner::Proof::optimal;
      ASSERT_EQ(optimal, candidate.plan.arena == candidate.plan.lower_bound) << round;
      if (effort == 0) open += !optimal;
      else longer += candidate.plan.search_nodes > nodes;
      before = candidate.plan.arena;
      nodes = candidate.plan.search_nodes;
    }
  }
  EXPECT_GT(open, 0);
  EXPECT_GT(longer, 0);
}

// Few bytes, many items and little work leave plans of one byte more than the bound, which are not proved by it.
TEST(SolvePacking, OneByteMoreThanTheBoundIsNotProved) {
  planner::Random random(17);
  planner::test::Mix mix;
  mix.items = 40;
  mix.pairs = true;
  mix.alignments = mix.gaps = false;
  mix.sizes = 3;
  mix.instants = 24;
  mix.lives = 14;
  for (int skipped = 0; skipped < 2; ++skipped) planner::test::random_problem(random, mix);
  SearchLimits limits;
  limits.effort = 0;
  for (int round = 0; round < 10; ++round) {
    PackedCuts candidate;
    candidate.packing.problem = planner::test::random_problem(random, mix);
    candidate.plan.arena = std::numeric_limits<int64_t>::max();
    solve_packing(candidate, limits);
    if (candidate.plan.arena != candidate.plan.lower_bound + 1) continue;
    EXPECT_EQ(candidate.plan.proof, planner::Proof::best_found);
    return;
  }
  ADD_FAILURE() << "no such plan";
}

}  // namespace
}  // namespace tarn::stream
