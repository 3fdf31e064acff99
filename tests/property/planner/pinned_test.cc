// Plans and counts of work of fixed problems: a change that costs or saves work is seen, meant or not.
#include <gtest/gtest.h>

#include "planner/decide.h"
#include "planner/large_instance.h"
#include "planner/plan.h"
#include "planner/split.h"
#include "planner/validate.h"
#include "property/digest.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

using tarn::test::Digest;

struct Pinned {
  const char* name;
  test::Mix mix;
  int problems;
  uint64_t plans;  // digest
};

void PrintTo(const Pinned& pinned, std::ostream* out) { *out << pinned.name; }

void add(Digest& digest, const Plan& plan) {
  digest.add(plan.offsets).add(plan.arena).add(plan.lower_bound).add(plan.proof).add(plan.core).add(plan.search_nodes);
}

class PinnedPlans : public ::testing::TestWithParam<Pinned> {};
TEST_P(PinnedPlans, AreTheSame) {
  const Pinned& pinned = GetParam();
  Random random(21);
  Digest digest;
  for (int t = 0; t < pinned.problems; ++t) {
    Problem problem = test::random_problem(random, pinned.mix);
    if (t % 4 == 1) {
      for (Item& item : problem.items) {
        if (random.below(2) == 0) item.hint = random.below(20) * item.alignment;
      }
    }
    for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s) {
      const Plan plan = solve(problem, static_cast<Strategy>(s), {0});
      ASSERT_TRUE(validate(problem, plan).empty());
      add(digest, plan);
      if (s == static_cast<int>(Strategy::automatic)) {
        problem.capacity = plan.arena - 1 - t % 2;
        add(digest, solve(problem, Strategy::automatic, {0}));
        problem.capacity = plan.arena + t % 3;
        add(digest, solve(problem, Strategy::automatic, {0}));
      }
    }
  }
  EXPECT_EQ(digest.value(), pinned.plans);
}

INSTANTIATE_TEST_SUITE_P(
    All, PinnedPlans,
    ::testing::Values(
        Pinned{"plain", {.items = 40, .sizes = 60, .instants = 24, .lives = 8}, 8, 5883953764333094306u},
        Pinned{"dense", {.items = 40, .sizes = 9, .instants = 12, .lives = 6}, 30, 4241283549021635647u},
        Pinned{
            "pairs", {.items = 16, .sizes = 40, .instants = 12, .lives = 6, .pairs = true}, 12, 15460705294040636463u},
        Pinned{"gaps", {.items = 20, .sizes = 40, .instants = 14, .lives = 8, .gaps = true}, 8, 5009368539725971149u},
        Pinned{"fixed", {.items = 16, .sizes = 20, .instants = 14, .lives = 6, .fixed = true}, 8, 9530366708574202928u},
        Pinned{"alignments",
               {.items = 13, .sizes = 30, .instants = 10, .lives = 6, .alignments = true},
               16,
               14971960114427705121u},
        Pinned{"everything",
               {.items = 14,
                .sizes = 20,
                .instants = 14,
                .lives = 6,
                .pairs = true,
                .gaps = true,
                .fixed = true,
                .alignments = true},
               12,
               18112919867122811497u}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PinnedPlans, OfLargeInstances) {
  Random random(22);
  Digest digest;
  test::Mix mix{.items = static_cast<int>(kLargeInstance) + 50, .sizes = 1000, .instants = 1500, .lives = 20};
  for (int kind = 0; kind < 3; ++kind) {
    mix.gaps = mix.alignments = kind >= 1;
    Problem problem = test::random_problem(random, mix);
    if (kind == 2) {
      for (int i = 0; i + 1 < mix.items; i += 7) problem.pairs.push_back({i, i + 1, {{-3, 900}, {950, 951}}});
      problem.items[5].offset = 12 * problem.items[5].alignment;
    }
    for (const Strategy strategy : {Strategy::best_fit, Strategy::first_fit, Strategy::hill_climb})
      add(digest, solve(problem, strategy, {0}));
  }
  EXPECT_EQ(digest.value(), 569851976780170649u);
}

TEST(PinnedPlans, OfSplits) {
  Random random(23);
  Digest digest;
  for (int t = 0; t < 24; ++t) {
    SplitProblem split_problem;
    split_problem.problem = test::random_problem(
        random, {.items = 10, .sizes = 12, .instants = 8, .lives = 5, .pairs = t % 3 == 1, .gaps = t % 4 == 3});
    const Bytes all = lower_bound(split_problem.problem);
    split_problem.capacities = {1 + all / 3 + random.below(4), 1 + all / 2 + random.below(4), all};
    for (const Item& item : split_problem.problem.items) {
      split_problem.allowed.push_back(item.size > split_problem.capacities[0] ? 6u : 7u);
      split_problem.traffic.push_back(random.below(50));
    }
    const Split found = split(split_problem, {0});
    digest.add(found.bank).add(found.cost).add(found.lower_bound).add(found.proof).add(found.core);
    digest.add(found.search_nodes);
    for (const Plan& plan : found.plans) add(digest, plan);
  }
  EXPECT_EQ(digest.value(), 12465805140097404169u);
}

}  // namespace
}  // namespace tarn::planner
