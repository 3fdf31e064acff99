// Every strategy against every placement there is, on problems small enough to try them all.
#include "property/planner/brute_force.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/plan.h"
#include "planner/validate.h"
#include "sampling.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using test::BruteForce;
using test::kTooMuch;
using test::part_of;

void compare(const test::Mix& mix, uint64_t seed, int all) {
  const int count = sampling::part(all, all / 3);
  Random random(seed);
  int decided = 0, refuted = 0;
  for (int t = 0; t < count; ++t) {
    test::Mix shape = mix;
    shape.items = 2 + static_cast<int>(random.below(mix.items - 1));
    const Problem problem = test::random_problem(random, shape);
    ASSERT_TRUE(check_problem(problem).empty());
    const Bytes least = BruteForce(problem).least();
    for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
      const Plan plan = solve(problem, static_cast<Strategy>(s), {});
      const auto violations = validate(problem, plan);
      ASSERT_TRUE(violations.empty()) << violations[0].text;
      if (plan.proof == Proof::infeasible) {
        ASSERT_EQ(least, kTooMuch);
        continue;
      }
      ASSERT_GE(plan.arena, least);
      ASSERT_LE(plan.lower_bound, least);
      if (plan.proof == Proof::optimal) {
        ASSERT_EQ(plan.arena, least);
      }
      if (s == static_cast<int>(Strategy::automatic)) {
        ASSERT_EQ(plan.proof, Proof::optimal);
      }
    }
    if (least == kTooMuch) continue;
    // Feasible exactly from the optimum on; refutations come with items that do not fit by themselves.
    const ConflictGraph conflicts = ConflictGraph::build(problem);
    for (Bytes capacity = std::max<Bytes>(0, least - 4); capacity <= least + 1; ++capacity) {
      const Decision decision = decide(problem, conflicts, capacity, 100'000);
      ASSERT_EQ(decision.verdict, capacity >= least ? Verdict::found : Verdict::refuted) << capacity << " of " << least;
      (decision.verdict == Verdict::found ? decided : refuted)++;
    }
    // A limit of interest ends the search early, and takes nothing away below it.
    const Plan wanted = solve(problem, Strategy::automatic, {.below = least + 1}),
               unwanted = solve(problem, Strategy::automatic, {.below = least});
    ASSERT_EQ(wanted.arena, least);
    ASSERT_EQ(unwanted.lower_bound, least);
    ASSERT_TRUE(validate(problem, unwanted).empty());
    // Any capacity below the optimum is refuted by a core: it does not fit, and fits without any one of its items.
    Problem tight = problem;
    tight.capacity = random.below(2) == 0 ? least - 1 : random.below(least);
    if (*tight.capacity < 0) continue;
    const Plan none = solve(tight, Strategy::automatic, {});
    ASSERT_EQ(none.proof, Proof::infeasible);
    ASSERT_FALSE(none.core.empty());
    ASSERT_GT(BruteForce(part_of(problem, none.core, -1)).least(), *tight.capacity);
    for (int without : none.core) {
      ASSERT_LE(BruteForce(part_of(problem, none.core, without)).least(), *tight.capacity)
          << "without item " << without;
    }
  }
  EXPECT_GT(decided, count / 2);
  EXPECT_GT(refuted, count / 2);
}

TEST(BruteForce, PlainItems) { compare({.items = 7}, 1, 100); }
TEST(BruteForce, Alignments) { compare({.items = 6, .alignments = true}, 2, 200); }
TEST(BruteForce, Pairs) { compare({.items = 6, .pairs = true}, 3, 250); }
TEST(BruteForce, Gaps) { compare({.items = 6, .gaps = true}, 4, 200); }
TEST(BruteForce, FixedOffsets) { compare({.items = 6, .fixed = true}, 5, 200); }
TEST(BruteForce, Everything) {
  compare({.items = 6, .pairs = true, .gaps = true, .fixed = true, .alignments = true}, 6, 300);
}

// Small ones, many of them: every mixture of what an item can have.
class BruteForceMixtures : public testing::TestWithParam<int> {};
TEST_P(BruteForceMixtures, Thousands) {
  const int m = GetParam();
  compare({.items = 5,
           .sizes = 5,
           .instants = 4,
           .lives = 3,
           .pairs = (m & 1) != 0,
           .gaps = (m & 2) != 0,
           .fixed = (m & 4) != 0,
           .alignments = (m & 8) != 0},
          static_cast<uint64_t>(100 + m), 250);
}
INSTANTIATE_TEST_SUITE_P(All, BruteForceMixtures, testing::Range(0, 16));

}  // namespace
}  // namespace tarn::planner
