// Plans and counts of work of fixed problems: a change that costs or saves work is seen, meant or not.
#include <gtest/gtest.h>

#include "planner/bounds.h"
#include "planner/conflicts.h"
#include "planner/decide.h"
#include "planner/ejection.h"
#include "planner/greedy.h"
#include "planner/large_instance.h"
#include "planner/overlap_index.h"
#include "planner/placement.h"
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
        Pinned{"long_lives", {.items = 60, .sizes = 300, .instants = 30, .lives = 25}, 5, 901106490085054144u},
        Pinned{
            "units", {.items = 15, .sizes = 3, .instants = 9, .lives = 6, .alignments = true}, 20, 26085826896209790u},
        Pinned{"paired_gaps",
               {.items = 24, .sizes = 12, .instants = 30, .lives = 9, .pairs = true, .gaps = true},
               8,
               12663089614041301607u},
        Pinned{"aligned_gaps",
               {.items = 18, .sizes = 12, .instants = 12, .lives = 7, .gaps = true, .alignments = true},
               10,
               17513980357545482306u},
        Pinned{"small",
               {.items = 5, .sizes = 4, .instants = 4, .lives = 4, .pairs = true, .gaps = true, .fixed = true},
               400,
               16046968238311042495u},
        Pinned{"hard",
               {.items = 22, .sizes = 5, .instants = 12, .lives = 8, .alignments = true},
               2,
               10944365878380346713u},
        Pinned{"hard_pairs",
               {.items = 26, .sizes = 30, .instants = 16, .lives = 8, .pairs = true},
               3,
               5749398203676673184u},
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
    for (int s = 0; s <= static_cast<int>(Strategy::automatic); ++s)
      add(digest, solve(problem, static_cast<Strategy>(s), {0}));
  }
  EXPECT_EQ(digest.value(), 4699033777670624151u);
}

// What places large instances, on smaller ones that the bound is out of reach of.
TEST(PinnedPlans, OfPacking) {
  Random random(24);
  Digest digest;
  for (int t = 0; t < 12; ++t) {
    const Problem problem = test::random_problem(
        random, {.items = 120 + 40 * t, .sizes = t % 2 == 0 ? 20 : 500, .instants = 60 + 10 * t, .lives = 10 + 6 * t});
    const LargePlan plan = pack_large(problem, lower_bound(problem), 0);
    digest.add(plan.offsets).add(plan.arena).add(plan.steps);
  }
  EXPECT_EQ(digest.value(), 732697255933350010u);
}

// Sizes that differ by little and gaps that are won in steps of all lengths.
TEST(PinnedPlans, OfPackingLargeSizes) {
  Random random(34);
  Digest digest;
  for (int t = 0; t < 8; ++t) {
    const Problem problem = test::random_problem(
        random, {.items = 150 + 30 * t, .sizes = 1'000'000, .instants = 60 + 5 * t, .lives = 20 + 6 * t});
    const LargePlan plan = pack_large(problem, lower_bound(problem) * (100 + t % 4) / 100, 0);
    digest.add(plan.offsets).add(plan.arena).add(plan.steps);
  }
  EXPECT_EQ(digest.value(), 3872449505391984304u);
}

// Towards a goal that nothing meets items displace each other until the visits are used up.
TEST(PinnedPlans, OfPackingTowardsTooLittle) {
  Random random(29);
  Digest digest;
  const Problem problem = test::random_problem(random, {.items = 300, .sizes = 500, .instants = 90, .lives = 50});
  const LargePlan plan = pack_large(problem, lower_bound(problem) - 1, 0);
  EXPECT_LT(plan.arena, place_large(problem, Strategy::greedy_by_size).arena);
  digest.add(plan.offsets).add(plan.arena).add(plan.steps);
  EXPECT_EQ(digest.value(), 623652832253293475u);
}

// So many items at once that the hottest are not packed first: displacing each other they come closer to the bound.
TEST(PinnedPlans, OfPackingManyAtOnce) {
  Random random(35);
  Digest digest;
  const Problem problem = test::random_problem(random, {.items = 1800, .sizes = 1000, .instants = 40, .lives = 50});
  const Bytes bound = lower_bound(problem);
  const LargePlan plan = pack_large(problem, bound, 0);
  EXPECT_LT(plan.arena - bound, (place_large(problem, Strategy::greedy_by_size).arena - bound) * 9 / 10);
  digest.add(plan.offsets).add(plan.arena).add(plan.steps);
  EXPECT_EQ(digest.value(), 12756356922659701594u);
}

// Items that displace each other until all lie within a capacity: where they do, validly.
TEST(PinnedPlans, OfEjections) {
  Random random(28);
  Digest digest;
  int found = 0, given_up = 0;
  for (int t = 0; t < 60; ++t) {
    Problem problem = test::random_problem(
        random, {.items = 20 + 8 * t, .sizes = t % 3 == 0 ? 12 : 3000, .instants = 30 + 2 * t, .lives = 8 + 3 * t});
    for (Item& item : problem.items) item.size *= t % 3 == 0 ? Bytes{1} << 46 : 1;  // towards 2^60
    const OverlapIndex index(problem);
    const Bytes unit = common_alignment(problem), bound = lower_bound(problem);
    const LargePlan greedy = place_large(problem, Strategy::greedy_by_size);
    Ejection ejection(problem, index, unit);
    std::vector<Offset> offsets;
    for (int r = 0; r < index.count(); ++r) offsets.push_back(greedy.offsets[Z(index.item_of(r))] / unit);
    for (Bytes capacity = greedy.arena - 1, tries = 0; capacity >= bound && tries < 6; ++tries) {
      const bool within = ejection.run(offsets, capacity, 400);
      digest.add(within).add(offsets).add(ejection.steps()).add(ejection.visits());
      if (!within) {
        ++given_up;
        ejection.forget();
        capacity += (greedy.arena - capacity) / 2;
        continue;
      }
      ++found;
      Plan plan{.offsets = greedy.offsets, .arena = 0};
      for (int r = 0; r < index.count(); ++r) plan.offsets[Z(index.item_of(r))] = offsets[Z(r)] * unit;
      plan.arena = arena_of(problem, plan.offsets);
      ASSERT_LE(plan.arena, capacity);
      ASSERT_TRUE(validate(problem, plan).empty());
      capacity = plan.arena - std::max<Bytes>(1, (plan.arena - bound) / 2);
    }
  }
  EXPECT_EQ(digest.value(), 13841302341725507056u);
  EXPECT_GT(found, 50);
  EXPECT_GT(given_up, 10);
}

// Items that are cut out of a rectangle.
Problem cut_out(Random& random, Bytes bytes, Instant instants, int items) {
  Problem problem;
  Item whole;
  whole.size = bytes, whole.end = instants;
  problem.items.push_back(whole);
  while (static_cast<int>(problem.items.size()) < items) {
    Item& item = problem.items[static_cast<size_t>(random.below(static_cast<int64_t>(problem.items.size())))];
    Item rest = item;
    if (random.below(2) == 0) {
      if (item.size < 2) continue;
      item.size = 1 + random.below(item.size - 1), rest.size -= item.size;
    } else {
      if (item.end - item.first < 2) continue;
      item.end = rest.first = item.first + 1 + random.below(item.end - item.first - 1);
    }
    problem.items.push_back(rest);
  }
  return problem;
}

// At all instants, at most of them or at half of them no byte may be wasted.
TEST(PinnedPlans, OfNoByteToSpare) {
  Random random(31);
  Digest digest;
  int found = 0;
  for (int t = 0; t < 16; ++t) {
    const Instant instants = 24 + random.below(8);
    Problem problem = cut_out(random, 400 + random.below(100), instants, 110 + 4 * t);
    const Bytes capacity = lower_bound(problem);
    const Instant less = t % 3 * instants / 4;
    for (Item& item : problem.items) {
      if (item.end <= less && item.size > 1) --item.size;
    }
    for (int salt = 0; salt < 2; ++salt) {
      const Decision decision = decide(problem, ConflictGraph::build(problem), capacity, 20'000, salt);
      found += decision.verdict == Verdict::found;
      digest.add(decision.verdict).add(decision.offsets).add(decision.nodes).add(decision.work);
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_EQ(digest.value(), 4569048235995420083u);
}

TEST(PinnedPlans, OfHints) {
  Random random(25);
  Digest digest;
  int reached = 0;
  for (int t = 0; t < 4000; ++t) {
    Problem problem = test::random_problem(random, {.items = 9,
                                                    .sizes = 9,
                                                    .instants = 7,
                                                    .lives = 5,
                                                    .pairs = t % 3 == 1,
                                                    .fixed = t % 5 == 3,
                                                    .alignments = t % 4 == 2});
    for (Item& item : problem.items) {
      if (random.below(4) == 0) continue;
      const int64_t place = random.below(24) * item.alignment;
      item.hint = place - random.below(8) / 7;
    }
    const Bytes bound = lower_bound(problem);
    const std::vector<Offset> near = place_near_hints(problem, ConflictGraph::build(problem), bound);
    reached += !near.empty() && arena_of(problem, near) == bound;
    digest.add(near);
  }
  EXPECT_EQ(digest.value(), 6786455052871649246u);
  EXPECT_GT(reached, 800);
}

// Bounds below an arena that is of interest end the search.
TEST(PinnedPlans, OfLimits) {
  Random random(26);
  Digest digest;
  for (int t = 0; t < 200; ++t) {
    Problem problem = test::random_problem(random, {.items = 14,
                                                    .sizes = 9,
                                                    .instants = 9,
                                                    .lives = 5,
                                                    .pairs = t % 3 == 1,
                                                    .gaps = t % 4 == 1,
                                                    .alignments = t % 5 == 2});
    const Bytes bound = lower_bound(problem);
    if (t % 2 == 0) problem.known_bound = bound + random.below(2);
    for (Bytes below = bound; below < bound + 4; ++below) {
      add(digest, solve(problem, Strategy::automatic, {.effort = static_cast<int>(below % 2), .below = below}));
      add(digest, solve(problem, Strategy::exact, {.effort = 0, .below = below}));
    }
  }
  EXPECT_EQ(digest.value(), 3540557668161118191u);
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

// Up to four memories, items of all kinds, some that only one memory takes.
TEST(PinnedPlans, OfSplitsOfManyKinds) {
  Random random(27);
  Digest digest;
  int proved = 0, infeasible = 0;
  for (int t = 0; t < 600; ++t) {
    SplitProblem split_problem;
    split_problem.problem = test::random_problem(random, {.items = 4 + t % 9,
                                                          .sizes = 9,
                                                          .instants = 8,
                                                          .lives = 5,
                                                          .pairs = t % 3 == 1,
                                                          .gaps = t % 4 == 3,
                                                          .alignments = t % 5 == 2});
    const Bytes all = lower_bound(split_problem.problem);
    for (int64_t banks = 2 + random.below(3); banks > 0; --banks)
      split_problem.capacities.push_back(1 + random.below(all + 2));
    const uint32_t every = (1u << split_problem.capacities.size()) - 1;
    for (size_t i = 0; i < split_problem.problem.items.size(); ++i) {
      const auto mask = static_cast<uint32_t>(1 + random.below(every));
      split_problem.allowed.push_back(random.below(4) == 0 ? mask : every);
      split_problem.traffic.push_back(random.below(4) == 0 ? 0 : random.below(50));
    }
    const Split found = split(split_problem, {0});
    digest.add(found.bank).add(found.cost).add(found.lower_bound).add(found.proof).add(found.core);
    digest.add(found.search_nodes);
    for (const Plan& plan : found.plans) add(digest, plan);
    proved += found.proof == Proof::optimal;
    infeasible += found.proof == Proof::infeasible;
  }
  EXPECT_EQ(digest.value(), 5260260608529844529u);
  EXPECT_GT(proved, 160);
  EXPECT_GT(infeasible, 80);
}

}  // namespace
}  // namespace tarn::planner
