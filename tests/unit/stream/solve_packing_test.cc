// The exact search behind a quick packing: what it leaves is a plan, whether or not the longer search comes to run.
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "planner/large_instance.h"
#include "planner/plan.h"
#include "planner/validate.h"
#include "stream/joining/choose.h"
#include "stream/schedule/pull.h"
#include "stream/schedule/search.h"
#include "unit/planner/random_problem.h"
#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

TEST(SolvePacking, LeavesAPlanAndMoreEffortNoWorseOne) {
  planner::Random random(17);
  int open = 0, longer = 0, together = 0;
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
      // The longer search looks for what the short one left, and their nodes are told together.
      if (effort == 1 && before > candidate.plan.lower_bound) {
        const planner::Plan alone =
            planner::solve(start.packing.problem, planner::Strategy::automatic, {.effort = 1, .below = before});
        EXPECT_EQ(candidate.plan.search_nodes, nodes + alone.search_nodes) << round;
        ++together;
      }
      if (effort == 1) {  // which a search that may take a part of the work alone does not come to
        PackedCuts part = start;
        limits.part = 2;
        solve_packing(part, limits);
        EXPECT_EQ(part.plan.search_nodes, nodes) << round;
      }
      before = candidate.plan.arena;
      nodes = candidate.plan.search_nodes;
    }
  }
  EXPECT_GT(open, 0);
  EXPECT_GT(longer, 0);
  EXPECT_GT(together, 0);
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

// A choice of two items alive together, whose quick packing takes `arena` bytes and which knows that `bound` are
// needed.
JoinedLayers choice_of(int64_t size, int64_t arena, int64_t bound) {
  JoinedLayers choice;
  choice.best.packing.problem.items.resize(2);
  for (planner::Item& item : choice.best.packing.problem.items) item.size = size, item.end = 1;
  choice.best.plan.offsets = {0, arena - size};
  choice.best.plan.arena = arena;
  choice.best.lives.bound = bound;
  return choice;
}

// Of choices that are packed thoroughly the least is taken, the first of equals; what the first has packed already and
// what is known to need no less than the best is passed over.
TEST(FinishChoices, TakesTheLeastAndPacksNothingInVain) {
  const auto taken = [](std::vector<JoinedLayers> choices) {
    for (size_t c = 0; c < choices.size(); ++c) choices[c].storage.places.resize(c);
    const JoinedLayers best = finish(std::move(choices), {.alignment = 1, .effort = 0});
    return std::pair(best.storage.places.size(), best.best.plan.arena);
  };
  using Taken = std::pair<size_t, int64_t>;
  EXPECT_EQ(taken({choice_of(5, 12, 10)}), Taken(0, 10));
  EXPECT_EQ(taken({choice_of(5, 12, 10), choice_of(4, 9, 8)}), Taken(1, 8));
  EXPECT_EQ(taken({choice_of(4, 9, 8), choice_of(5, 12, 8)}), Taken(0, 8));
  EXPECT_EQ(taken({choice_of(5, 12, 10), choice_of(4, 10, 8), choice_of(3, 9, 6)}), Taken(2, 6));
  // Packed in less than two items take, which only a choice that is passed over can be.
  EXPECT_EQ(taken({choice_of(5, 12, 10), choice_of(5, 7, 6)}), Taken(0, 10)) << "the same problem";
  EXPECT_EQ(taken({choice_of(5, 12, 10), choice_of(4, 7, 10)}), Taken(0, 10)) << "no fewer bytes alive";
  EXPECT_EQ(taken({choice_of(5, 12, 10), choice_of(4, 7, 9)}), Taken(1, 7));
}

// What would still be far too large is packed no more.
TEST(FinishCuts, LeavesWhatIsOfNoUse) {
  const auto packed = [](int64_t useful) {
    JoinedLayers choice = choice_of(50, 160, 160);
    choice.best.packing.items.resize(2);
    finish(Net{}, choice.best, {.alignment = 1, .effort = 0, .useful = useful});
    return choice.best.plan.arena;
  };
  EXPECT_EQ(packed(149), 160);
  EXPECT_EQ(packed(150), 100);
  EXPECT_EQ(packed(1000), 100);
}

// So many items of one byte, none alive with another, one behind the other.
PackedCuts in_a_row(size_t items) {
  PackedCuts candidate;
  candidate.packing.problem.items.resize(items);
  candidate.plan.arena = 0;
  for (planner::Item& item : candidate.packing.problem.items) {
    item.first = candidate.plan.arena;
    item.end = item.first + 1;
    item.size = 1;
    candidate.plan.offsets.push_back(candidate.plan.arena++);
  }
  candidate.packing.items.resize(items);
  candidate.lives.bound = candidate.plan.arena;
  return candidate;
}

// Rings are solved however many there are.
TEST(FinishCuts, SolvesManyRings) {
  PackedCuts candidate = in_a_row(planner::kLargeInstance + 1);
  finish(Net{}, candidate, {.alignment = 1, .effort = 0});
  EXPECT_EQ(candidate.plan.arena, 1);
  EXPECT_EQ(candidate.plan.proof, planner::Proof::optimal);
}

// Single lines are solved too, but for so many that they are packed by raising them alone.
TEST(FinishCuts, SolvesSingleLinesUnlessThereAreMany) {
  for (const size_t items : {planner::kLargeInstance - 1, planner::kLargeInstance, planner::kLargeInstance + 1}) {
    PackedCuts candidate = in_a_row(items);
    candidate.packing.places = Places::apart;
    finish(Net{}, candidate, {.alignment = 1, .effort = 0});
    EXPECT_EQ(candidate.plan.proof == planner::Proof::optimal, items <= planner::kLargeInstance) << items;
    EXPECT_EQ(candidate.plan.arena, 1);
  }
}

// Slots of short rings are packed one by one where that may save enough; what is single lines already stays as it is.
TEST(FinishCuts, SpreadsRingsAlone) {
  planner::Random random(5);
  const Net net = testing::chain_of(3, 6, random);
  for (const bool apart : {false, true}) {
    PackedCuts candidate = choice_of(1'000'000, 2'000'000, 0).best;
    candidate.packing.items.resize(2);
    candidate.packing.places = apart ? Places::apart : Places::together;
    candidate.cuts.assign(net.nodes.size() + 1, false);
    candidate.steps = pull_all(net, candidate.cuts);
    candidate.lives = find_lives(net, candidate.steps);
    const std::vector<Packed> slots = make_packing(net, candidate.steps, candidate.lives, Places::slots, 1).items;
    ASSERT_GT(slots.size(), net.memories.size());
    finish(net, candidate, {.alignment = 1, .effort = 0});
    EXPECT_EQ(candidate.packing.items.size(), apart ? 2u : slots.size());
    EXPECT_EQ(candidate.packing.places, apart ? Places::apart : Places::slots);
    EXPECT_EQ(candidate.plan.arena == 2'000'000, apart);
  }
}

// One node with scratch: nothing to cut, though none of the usual orders packs 8, 20 and 18 bytes, in which they need
// no gaps.
TEST(SearchCuts, OneNodeIsNotCut) {
  planner::Random random(3);
  Net net = testing::chain_of(0, 3, random);
  net.memories[0].line_bytes = 6;
  for (const int64_t bytes : {20, 8}) testing::add_helper(net, net.nodes[0], Memory::Holds::scratch, bytes);
  for (const Lines lines : {Lines::ring, Lines::table}) {
    Work work{0, 10'000'000};
    const PackedCuts found =
        search_cuts(net, lines, {.alignment = 16, .effort = 0}, std::numeric_limits<int64_t>::max(), work);
    EXPECT_EQ(found.steps.size(), 3u);
    EXPECT_EQ(found.lives.bound, 18 + 20 + 8);
    EXPECT_GE(found.plan.arena, found.lives.bound);
    EXPECT_TRUE(lines == Lines::table || found.plan.arena > found.lives.bound);
  }
}

}  // namespace
}  // namespace tarn::stream
