#include "stream/schedule/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "planner/random.h"
#include "stream/schedule/pack_sizes.h"
#include "stream/schedule/pull.h"
#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

using testing::chain_of;

struct Made {
  std::vector<Step> steps;
  Lives lives;
  Packing packing;
};

Made make(const Net& net, const std::vector<bool>& cuts, const KnownPairs* known) {
  Made made;
  made.steps = pull_all(net, cuts);
  made.lives = find_lives(net, made.steps);
  made.packing = make_packing(net, made.steps, made.lives, Places::together, 4, false, known);
  return made;
}

TEST(Packing, PairsThatAreKnownAreThoseThatWouldBeFound) {
  planner::Random random(11);
  int64_t unchanged = 0;
  for (int round = 0; round < 200; ++round) {
    const int layers = 4 + static_cast<int>(random.below(12));
    const Net net = chain_of(layers, 4 + random.below(9), random);
    std::vector<bool> cuts(net.nodes.size() + 1, false);
    for (size_t n = 1; n < net.nodes.size(); ++n) cuts[n] = random.below(2) == 0;
    const Made before = make(net, cuts, nullptr);
    const KnownPairs known(before.packing, before.steps);
    const size_t flipped = 1 + static_cast<size_t>(random.below(layers));
    cuts[flipped] = !cuts[flipped];
    const Made found = make(net, cuts, nullptr), told = make(net, cuts, &known);
    EXPECT_TRUE(told.packing.problem == found.packing.problem);
    const std::vector<bool> same = known.unchanged(found.steps, found.lives);
    unchanged += std::count(same.begin(), same.end(), true);
    // What is said to live as it did does, and its lines begin and end in the same steps.
    const auto step_at = [](const Made& made, int s) {
      const bool runs = s >= 0 && s < static_cast<int>(made.steps.size());
      const Step& step = made.steps[static_cast<size_t>(runs ? s : 0)];
      return std::tuple(s, runs ? step.actor : 0, runs ? step.first_line : 0);
    };
    for (size_t m = 0; m < same.size(); ++m) {
      for (size_t l = 0; same[m] && l < found.lives.lines[m].size(); ++l) {
        const LineLife &now = found.lives.lines[m][l], &then = before.lives.lines[m][l];
        EXPECT_EQ(step_at(found, now.born), step_at(before, then.born));
        EXPECT_EQ(step_at(found, now.last), step_at(before, then.last));
      }
    }
  }
  EXPECT_GT(unchanged, 200);
}

// What is known of other steps, or of fewer of them, is not used.
TEST(Packing, NothingIsKnownOfFewerSteps) {
  planner::Random random(12);
  const Net net = chain_of(6, 8, random);
  const Made made = make(net, std::vector<bool>(net.nodes.size() + 1, false), nullptr);
  const KnownPairs known(made.packing, made.steps);
  const std::vector<bool> none(net.memories.size(), false), all(net.memories.size(), true);
  EXPECT_EQ(known.unchanged(made.steps, made.lives), all);
  std::vector<Step> fewer = made.steps;
  fewer.pop_back();
  EXPECT_EQ(known.unchanged(fewer, made.lives), none);
  EXPECT_EQ(KnownPairs(made.packing, fewer).unchanged(made.steps, made.lives), none);
}

// A ring of slots that stand apart: line l in the piece of its slot, and no two lines alive at once in one piece.
TEST(Packing, PiecesOfMemoriesHoldEachLineOnce) {
  planner::Random random(5);
  int64_t split = 0;
  for (int round = 0; round < 50; ++round) {
    const int64_t height = 6 + random.below(9);
    const Net net = chain_of(4 + static_cast<int>(random.below(8)), height, random);
    const std::vector<Step> steps = pull_all(net, std::vector<bool>(net.nodes.size() + 1, false));
    const Lives lives = find_lives(net, steps);
    for (const Places places : {Places::together, Places::slots, Places::apart}) {
      const Packing packing = make_packing(net, steps, lives, places, 4);
      std::vector<std::vector<int>> holds(net.memories.size());
      for (size_t m = 0; m < net.memories.size(); ++m) holds[m].assign(lives.lines[m].size(), 0);
      for (const Packed& packed : packing.items) {
        const auto memory = static_cast<size_t>(packed.memory);
        int before = -1;
        for (int64_t l = std::max<int64_t>(0, packed.line); l < net.memories[memory].lines; l += packed.step) {
          const LineLife& life = lives.lines[memory][static_cast<size_t>(l)];
          ++holds[memory][static_cast<size_t>(l)];
          if (packed.line < 0 || life.born == kNever) continue;
          EXPECT_GE(life.born, before);
          before = life.last;
        }
        split += places == Places::slots && packed.line >= 0;
      }
      for (size_t m = 0; m < holds.size(); ++m) {
        for (size_t l = 0; l < holds[m].size(); ++l)
          EXPECT_TRUE(holds[m][l] == 1 || (holds[m][l] == 0 && lives.lines[m][l].born == kNever)) << m << " " << l;
      }
    }
  }
  EXPECT_GT(split, 100);
}

// The distance that keeps every read of a dying line whole; none where one of them allows no overlap.
TEST(Packing, OverlapDistanceIsThatOfAllReadsOfTheLine) {
  planner::Random random(13);
  int disjoint = 0, apart = 0, over = 0;
  for (int round = 0; round < 3000; ++round) {
    Net net;
    NetNode node;
    node.memory = static_cast<int>(random.below(6)) / 5;
    node.actor.whole = random.below(12) == 0;
    node.actor.accumulate = random.below(12) == 0;
    for (int64_t i = 1 + random.below(4); i > 0; --i) {
      Access access;
      access.memory = 2 + static_cast<int>(random.below(3)) / 2;
      for (int r = 0; r < 3; ++r) {
        const int64_t first = random.below(5);
        access.lines.push_back({first, first + random.below(4)});
      }
      if (random.below(4) > 0) access.overlap_distance = random.below(3);
      node.reads.push_back(access);
    }
    net.nodes = {NetNode{}, node};
    const Step step{1, random.below(3), 1};
    for (int64_t line = 0; line < 8; ++line) {
      std::optional<int64_t> expected;
      bool allowed = node.memory == 0 && !node.actor.whole && !node.actor.accumulate;
      for (const Access& access : node.reads) {
        const Span span = access.lines[static_cast<size_t>(step.first_line)];
        for (int64_t l = span.first; l < span.end; ++l) {
          if (access.memory != 2 || l != line) continue;
          allowed = allowed && access.overlap_distance;
          if (allowed) expected = std::max(expected.value_or(0), *access.overlap_distance);
        }
      }
      if (!allowed) expected.reset();
      ASSERT_EQ(overlap_distance_at(net, step, 2, line, 0), expected) << round << " line " << line;
      (!expected ? disjoint : *expected == 0 ? over : apart)++;
    }
  }
  EXPECT_GT(disjoint, 1000);
  EXPECT_GT(apart, 1000);
  EXPECT_GT(over, 100);
}

TEST(Packing, MeetingsAreThePairsAliveTogether) {
  planner::Random random(7);
  for (int round = 0; round < 50; ++round) {
    const int64_t height = 6 + random.below(9);
    const Net net = chain_of(4 + static_cast<int>(random.below(8)), height, random);
    const std::vector<Step> steps = pull_all(net, std::vector<bool>(net.nodes.size() + 1, false));
    const Lives lives = find_lives(net, steps);
    for (const Places places : {Places::together, Places::slots, Places::apart}) {
      const std::vector<planner::Item> items = make_packing(net, steps, lives, places, 4).problem.items;
      uint64_t pairs = 0;
      for (size_t a = 0; a < items.size(); ++a) {
        for (size_t b = 0; b < a; ++b) pairs += items[a].first < items[b].end && items[b].first < items[a].end;
      }
      EXPECT_EQ(count_meetings(net, lives, places), pairs);
    }
  }
}

// Two nodes make a memory's lines, the later ones first: a ring would have too few slots.
TEST(Packing, LinesThatAreNotMadeInOrderStandInOnePiece) {
  planner::Random random(1);
  Net net = chain_of(2, 4, random);  // node 0 makes memory 0, 1 memory 1 of it, 2 memory 2 of that
  NetNode other = net.nodes[1];
  net.nodes[1].made = {2, 4};
  other.made = {0, 2};
  net.nodes[1].lines = other.lines = 2;
  net.nodes.push_back(other);
  for (Access& access : net.nodes[2].reads)
    for (int64_t r = 0; r < 4; ++r) access.lines[static_cast<size_t>(r)] = {r, r + 1};
  std::vector<Step> steps;
  for (int64_t r = 0; r < 4; ++r) steps.push_back({0, r, 1});
  for (const Step& step : {Step{1, 0, 1}, {1, 1, 1}, {3, 0, 1}, {2, 0, 1}, {3, 1, 1}, {2, 1, 1}, {2, 2, 1}, {2, 3, 1}})
    steps.push_back(step);
  const Lives lives = find_lives(net, steps);
  EXPECT_TRUE(lives.ascending[0]);
  EXPECT_FALSE(lives.ascending[1]);
  EXPECT_EQ(lives.slots[1], 4);
}

// What two sizes of a network need: the bound is that of the one that needs more, and no more than that.
TEST(Packing, TheBoundOfSeveralSizesIsThatOfOne) {
  planner::Random random(3);
  const Net net = chain_of(5, 8, random);
  std::vector<Packing> packings;
  for (const int64_t bound : {int64_t{90}, int64_t{120}, int64_t{100}}) {
    packings.push_back(make(net, std::vector<bool>(net.nodes.size() + 1, false), nullptr).packing);
    packings.back().problem.known_bound = bound;
  }
  EXPECT_EQ(merge_packings(packings).problem.known_bound, 120);
}

// At one size two memories may share bytes, at the other they may not.
TEST(Packing, WhatOneSizeForbidsAllDo) {
  std::vector<Packing> packings(2);
  for (Packing& packing : packings) {
    packing.problem.items.resize(2);
    packing.items = {{0}, {1}};
    for (planner::Item& item : packing.problem.items) item.size = 10, item.end = 2;
  }
  packings[0].problem.pairs = {{0, 1, {{-2, 3}}}};
  EXPECT_TRUE(merge_packings(packings).problem.pairs.empty()) << "the plain rule";
  packings[1].problem.pairs = {{0, 1, {{2, 5}}}};
  const planner::Problem both = merge_packings(packings).problem;
  ASSERT_EQ(both.pairs.size(), 1u);
  EXPECT_EQ(both.pairs[0].forbidden, (std::vector<planner::Forbidden>{{-2, 5}}));
}

}  // namespace
}  // namespace tarn::stream
