#include "planner/split.h"

#include <gtest/gtest.h>

#include <optional>

#include "planner/bounds.h"
#include "planner/validate.h"
#include "property/digest.h"
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

// An item that ends behind a bank is a core by itself, whichever comes first.
TEST(Split, OfFixedItems) {
  for (const Instant first : {0, 5}) {
    SplitProblem problem = any({split_item(first, first + 2, 4), split_item(2, 4, 3)}, {10, 20});
    problem.problem.items[0].offset = 7;
    const Split found = split(problem, {});
    EXPECT_EQ(found.proof, Proof::optimal);
    EXPECT_EQ(found.bank, (std::vector<int>{1, 0}));
    problem.problem.items[0].offset = 6;
    EXPECT_EQ(split(problem, {}).cost, 0);
  }
}

// What is never alive goes where it costs least.
TEST(Split, OfItemsWithoutLife) {
  SplitProblem problem = any({split_item(0, 2, 4), split_item(1, 1, 5), split_item(0, 2, 0)}, {4, 4});
  problem.allowed = {3, 2, 2};
  problem.traffic = {4, 5, 7};
  const Split found = split(problem, {});
  EXPECT_EQ(found.proof, Proof::optimal);
  EXPECT_EQ(found.bank, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(found.cost, 12);
  EXPECT_EQ(found.lower_bound, 12);
}

// Of what has no place: what is alive with the item that is one too many, and partners of it that have died.
TEST(Split, CoresAreWhatHasNoPlaceTogether) {
  SplitProblem problem =
      any({split_item(0, 2, 6), split_item(2, 4, 6), split_item(0, 3, 2), split_item(0, 1, 2)}, {10, 1});
  problem.problem.pairs = {{0, 1, {{-6, 6}}}};
  const Split apart = split(problem, {});
  EXPECT_EQ(apart.proof, Proof::infeasible);
  EXPECT_EQ(apart.core, (std::vector<int>{1, 0, 2}));
  problem.problem.pairs = {};
  EXPECT_TRUE(split(problem, {}).found());
  problem.problem.items[0].end = 3;
  EXPECT_EQ(split(problem, {}).core, (std::vector<int>{1, 0, 2}));
}

// Two items that must be apart although one follows the other later: what lives with the first at its end and with the
// second at its beginning is beside both of them, what lives with one only is not.
TEST(Split, WhatLivesOnFromOneToTheOther) {
  const auto cost = [](Instant first, Instant end, bool kept) {
    SplitProblem problem =
        any({split_item(0, 2, 4), split_item(4, 6, 4), split_item(first, end, 3), split_item(8, 9, 1)}, {10, 100});
    problem.problem.pairs = {{1, 0, {{-4, 4}}}};
    if (kept) problem.problem.pairs.push_back({2, 3, {}});  // its bank matters for another one
    const Split found = split(problem, {});
    EXPECT_EQ(found.proof, Proof::optimal);
    EXPECT_EQ(found.cost, *brute_force(problem));
    return found.cost;
  };
  for (const bool kept : {false, true}) {
    EXPECT_EQ(cost(1, 5, kept), 3);
    EXPECT_EQ(cost(1, 3, kept), 0);
    EXPECT_EQ(cost(1, 4, kept), 0);
    EXPECT_EQ(cost(2, 5, kept), 0);
    EXPECT_EQ(cost(0, 2, kept), 0);
    EXPECT_EQ(cost(3, 5, kept), 0);
  }
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
  tarn::test::Digest digest;
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
    digest.add(found.bank).add(found.lower_bound).add(found.search_nodes);
  }
  EXPECT_EQ(digest.value(), 11293838564962027529u);
}

// Too wide to be exact, and the banks together have little room: what finds no place in the order of the rule of thumb
// is in no split. All of it in a digest.
TEST(Split, WideProblemsWithLittleRoom) {
  tarn::test::Digest digest;
  int found = 0, none = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    std::vector<Item> items;
    for (int64_t i = 40 + random.below(60); i > 0; --i) {
      const Instant first = random.below(30);
      items.push_back(split_item(first, first + 1 + random.below(20), 1 + random.below(30)));
    }
    Problem whole;
    whole.items = items;
    const Bytes all = lower_bound(whole), fast = all * (20 + random.below(30)) / 100,
                middle = all * (10 + random.below(30)) / 100;
    SplitProblem problem = any(items, {fast, middle, all - fast - middle + random.below(all / 6) - 4});
    for (uint32_t& allowed : problem.allowed) {
      if (seed % 2 == 0 && random.below(8) == 0) allowed = 1u << random.below(3);
      if (seed % 3 == 0 && random.below(8) == 0) allowed &= ~(1u << random.below(3));
      if (allowed == 0) allowed = 4;
    }
    const Split split = planner::split(problem, {0});
    for (int bank : split.bank) ASSERT_TRUE(bank >= 0 && bank < 3) << seed;
    check(problem, split);
    digest.add(split.bank).add(split.cost).add(split.lower_bound).add(split.proof).add(split.core);
    digest.add(split.search_nodes);
    ++(split.found() ? found : none);
  }
  EXPECT_EQ(digest.value(), 2396721585645115042u);
  EXPECT_GT(found, 5);
  EXPECT_GT(none, 5);
}

}  // namespace
}  // namespace tarn::planner
