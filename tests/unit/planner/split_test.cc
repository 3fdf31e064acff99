#include "planner/split.h"

#include <gtest/gtest.h>

#include <optional>

#include "planner/validate.h"
#include "unit/planner/random_problem.h"

namespace tarn::planner {
namespace {

Item split_item(Instant first, Instant end, Bytes size) {
  Item out;
  out.id = "i" + std::to_string(first) + "_" + std::to_string(size);
  out.first = first;
  out.end = end;
  out.size = size;
  return out;
}

// All items in any bank, each as dear as it is large.
SplitProblem any(std::vector<Item> items, std::vector<Bytes> capacities) {
  SplitProblem problem;
  problem.problem.items = std::move(items);
  problem.capacities = std::move(capacities);
  for (const Item& i : problem.problem.items) {
    problem.allowed.push_back((1u << problem.capacities.size()) - 1);
    problem.traffic.push_back(i.size);
  }
  return problem;
}

// The least cost over all assignments, each bank decided by the exact packer.
std::optional<Bytes> brute_force(const SplitProblem& problem) {
  const size_t n = problem.allowed.size(), banks = problem.capacities.size();
  std::optional<Bytes> best;
  std::vector<int> bank(n, 0);
  for (;;) {
    Bytes cost = 0;
    bool good = true;
    for (size_t i = 0; i < n; ++i) {
      cost += problem.traffic[i] * bank[i];
      good = good && (problem.allowed[i] >> bank[i] & 1) != 0;
    }
    if (good && (!best || cost < *best)) {
      for (size_t b = 0; b < banks && good; ++b) {
        Problem part = restrict_to(problem.problem, items_of_bank(bank, static_cast<int>(b)));
        part.capacity = problem.capacities[b];
        const Plan plan = solve(part, Strategy::exact, {3});
        EXPECT_NE(plan.proof, Proof::undecided);
        good = plan.proof != Proof::infeasible;
      }
      if (good) best = cost;
    }
    size_t i = 0;
    while (i < n && ++bank[i] == static_cast<int>(banks)) bank[i++] = 0;
    if (i == n) return best;
  }
}

void check(const SplitProblem& problem, const Split& split) {
  if (!split.found()) return;
  Bytes cost = 0;
  for (size_t i = 0; i < split.bank.size(); ++i) {
    cost += problem.traffic[i] * split.bank[i];
    EXPECT_NE(problem.allowed[i] >> split.bank[i] & 1, 0u);
  }
  EXPECT_EQ(cost, split.cost);
  EXPECT_LE(split.lower_bound, split.cost);
  ASSERT_EQ(split.plans.size(), problem.capacities.size());
  for (size_t b = 0; b < split.plans.size(); ++b) {
    Problem part = restrict_to(problem.problem, items_of_bank(split.bank, static_cast<int>(b)));
    part.capacity = problem.capacities[b];
    EXPECT_TRUE(validate(part, split.plans[b]).empty());
  }
}

TEST(Split, AllInTheFirstWhereItFits) {
  const SplitProblem problem = any({split_item(0, 2, 3), split_item(1, 4, 2), split_item(2, 4, 2)}, {5, 100});
  const Split found = split(problem, {});
  EXPECT_EQ(found.proof, Proof::optimal);
  EXPECT_EQ(found.cost, 0);
  EXPECT_EQ(found.plans[0].arena, 5);
  EXPECT_EQ(found.plans[1].arena, 0);
}

TEST(Split, NothingToDivide) {
  const Split found = split(any({}, {5, 100}), {});
  EXPECT_TRUE(found.found());
  EXPECT_EQ(found.proof, Proof::optimal);
}

TEST(Split, TheLeastUsedGivesWay) {
  SplitProblem problem = any({split_item(0, 4, 4), split_item(0, 4, 4), split_item(0, 4, 4)}, {8, 8});
  problem.traffic = {9, 2, 5};
  const Split found = split(problem, {});
  EXPECT_EQ(found.proof, Proof::optimal);
  EXPECT_EQ(found.bank, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(found.cost, 2);
}

TEST(Split, MasksAreKept) {
  SplitProblem problem = any({split_item(0, 2, 4), split_item(0, 2, 4)}, {100, 4});
  problem.allowed = {2, 3};
  const Split found = split(problem, {});
  EXPECT_EQ(found.bank, (std::vector<int>{1, 0}));
  problem.allowed = {2, 2};
  const Split none = split(problem, {});
  EXPECT_EQ(none.proof, Proof::infeasible);
  EXPECT_EQ(none.core.size(), 2u);
}

// What is alive at once fits, but the items cannot be placed: 2 and 3 units alternate.
TEST(Split, LoadsThatDoNotPack) {
  std::vector<Item> items = {split_item(0, 2, 1), split_item(1, 3, 1), split_item(2, 4, 1),
                             split_item(3, 5, 1), split_item(0, 1, 2), split_item(1, 2, 1),
                             split_item(2, 3, 1), split_item(3, 4, 1), split_item(4, 5, 2)};
  SplitProblem problem = any(items, {3, 3});
  const Split found = split(problem, {});
  EXPECT_EQ(found.proof, Proof::optimal);
  EXPECT_EQ(found.cost, *brute_force(problem));
  check(problem, found);
}

// An output may lie over its dying input, but only within one bank.
TEST(Split, SharingStaysWithinABank) {
  SplitProblem problem = any({split_item(0, 2, 6), split_item(2, 4, 6), split_item(0, 4, 4)}, {10, 6});
  problem.problem.pairs.push_back({0, 1, {}});
  EXPECT_EQ(split(problem, {}).cost, 0);
  problem.problem.pairs[0].forbidden = {{-6, 6}};  // disjoint: they do not go together
  const Split apart = split(problem, {});
  EXPECT_EQ(apart.proof, Proof::optimal);
  EXPECT_EQ(apart.cost, 6);
  check(problem, apart);
}

TEST(Split, AgreesWithAllAssignments) {
  Random random(7);
  int feasible = 0, infeasible = 0, dear = 0;
  for (int round = 0; round < 600; ++round) {
    test::Mix mix;
    mix.items = 2 + static_cast<int>(random.below(6));
    mix.pairs = round % 3 == 1;
    mix.gaps = round % 7 == 3;
    mix.alignments = round % 5 == 2;
    SplitProblem problem;
    problem.problem = test::random_problem(random, mix);
    const int64_t banks = 2 + (mix.items < 6 ? random.below(2) : 0);
    for (int64_t b = 0; b < banks; ++b) problem.capacities.push_back(2 + random.below(9));
    for (int i = 0; i < mix.items; ++i) {
      problem.allowed.push_back(random.below(4) == 0 ? 1u << random.below(banks) : (1u << banks) - 1);
      problem.traffic.push_back(random.below(12));
    }
    const Split found = split(problem, {});
    check(problem, found);
    const std::optional<Bytes> expected = brute_force(problem);
    ASSERT_EQ(found.found(), expected.has_value()) << "round " << round;
    ASSERT_EQ(found.proof, expected ? Proof::optimal : Proof::infeasible) << "round " << round;
    if (expected) {
      EXPECT_EQ(found.cost, *expected) << "round " << round;
    }
    feasible += expected.has_value();
    infeasible += !expected;
    dear += expected && *expected > 0;
  }
  EXPECT_GT(feasible, 100);
  EXPECT_GT(infeasible, 50);
  EXPECT_GT(dear, 100);
}

// Too wide to be exact: still a split that holds, and a bound that does.
TEST(Split, WideProblems) {
  // The last bank holds all of it. In the second problem the others, filled to the brim, are too hard to pack.
  for (const bool size_first : {true, false}) {
    Random random(3);
    std::vector<Item> items;
    for (int i = 0; i < 300; ++i) {
      const Instant first = random.below(100);
      const int64_t one = random.below(size_first ? 50 : 30), other = random.below(size_first ? 30 : 50);
      items.push_back(split_item(first, first + 1 + (size_first ? other : one), 1 + (size_first ? one : other)));
    }
    SplitProblem problem = any(items, {700, 900, 5000});
    for (Bytes& t : problem.traffic) t *= 1 + random.below(4);
    const Split found = split(problem, {});
    check(problem, found);
    ASSERT_TRUE(found.found());
    EXPECT_EQ(found.proof, Proof::best_found);
    EXPECT_GT(found.lower_bound, 0);
  }
}

// Too wide to be exact, and the banks together have little room: what finds no place in the order of the rule of thumb
// is in no split.
TEST(Split, WideProblemsWithLittleRoom) {
  int found = 0, none = 0;
  for (Bytes last = 250; last < 450; last += 10) {
    Random random(5);
    std::vector<Item> items;
    for (int i = 0; i < 120; ++i) {
      const Instant first = random.below(40);
      items.push_back(split_item(first, first + 1 + random.below(30), 1 + random.below(30)));
    }
    const SplitProblem problem = any(items, {200, 300, last});
    const Split split = planner::split(problem, {0});
    for (int bank : split.bank) ASSERT_TRUE(bank >= 0 && bank < 3) << last;
    check(problem, split);
    ++(split.found() ? found : none);
  }
  EXPECT_GT(found, 2);
  EXPECT_GT(none, 2);
}

}  // namespace
}  // namespace tarn::planner
