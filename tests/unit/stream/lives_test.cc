// When lines live, how many slots hold them and how many bytes that takes, against the meaning of each.
#include "stream/schedule/lives.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/random.h"
#include "stream/schedule/pull.h"
#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

struct Case {
  Net net;
  std::vector<Step> steps;
};

// Layers with scratch here and there, memories that the caller owns, that are full before the first step or kept behind
// the last one, with lines that nobody makes, or that stand in one piece.
Case random_case(planner::Random& random) {
  Case made{testing::chain_of(3 + static_cast<int>(random.below(5)), 4 + random.below(6), random), {}};
  Net& net = made.net;
  std::vector<bool> cuts(net.nodes.size() + 1, false);
  for (size_t n = 1; n < net.nodes.size(); ++n) cuts[n] = random.below(4) == 0;
  made.steps = pull_all(net, cuts);
  for (size_t m = 0; m < net.memories.size(); ++m) {
    net.memories[m].lines += random.below(3) / 2;
    net.contiguous[m] = random.below(6) == 0;
    net.outside[m] = random.below(6) == 0;
    net.given[m] = random.below(6) == 0;
    net.kept[m] = random.below(4) == 0;
  }
  for (NetNode& node : net.nodes) {
    if (random.below(3) > 0) continue;
    const Memory::Holds holds = random.below(2) == 0 ? Memory::Holds::scratch : Memory::Holds::window;
    testing::add_helper(net, node, holds, 1 + random.below(90));
  }
  return made;
}

// Checks the lives of 200 cases: check(net, steps, lives).
template <typename Check>
void check_lives(uint64_t seed, Check check) {
  planner::Random random(seed);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const auto [net, steps] = random_case(random);
    check(net, steps, find_lives(net, steps));
  }
}

// What a node that takes in line by line, or all at once, makes is written with its last step, in the first memory as
// in any other; of several lines in a step each is read and written.
TEST(Lives, WhatAStepTouches) {
  using Touches = std::vector<std::tuple<int, int64_t, bool>>;
  const auto touches = [](const Net& net, const Step& step) {
    Touches found;
    for_each_touch(net, step, [&](int m, int64_t l, bool written) { found.emplace_back(m, l, written); });
    return found;
  };
  Net net;
  net.memories.resize(4);
  NetNode node;
  node.lines = 4;
  node.made = {1, 3};
  node.reads.resize(2);
  node.reads[0].memory = 1;
  node.reads[0].lines = {{0, 1}, {1, 3}, {2, 2}, {3, 4}};
  node.reads[1].memory = 2;
  node.reads[1].all = {5, 7};
  node.helpers = {3};
  for (const int memory : {0, 1}) {
    node.memory = memory;
    node.actor.accumulate = true;
    net.nodes = {node};
    EXPECT_EQ(touches(net, {0, 1, 1}),
              (Touches{{1, 1, false}, {1, 2, false}, {2, 5, false}, {2, 6, false}, {3, 1, true}}));
    EXPECT_EQ(
        touches(net, {0, 3, 1}),
        (Touches{{1, 3, false}, {2, 5, false}, {2, 6, false}, {memory, 1, true}, {memory, 2, true}, {3, 3, true}}));
    net.nodes[0].actor.accumulate = false;
    EXPECT_EQ(touches(net, {0, 1, 3}), (Touches{{1, 1, false},
                                                {1, 2, false},
                                                {1, 3, false},
                                                {2, 5, false},
                                                {2, 6, false},
                                                {memory, 2, true},
                                                {memory, 3, true},
                                                {memory, 4, true},
                                                {3, 1, true}}));
  }
  net.nodes[0].memory = -1;
  net.nodes[0].also = {2};
  net.memories[2].lines = 2;
  EXPECT_EQ(touches(net, {0, 0, 1}),
            (Touches{{1, 0, false}, {2, 5, false}, {2, 6, false}, {2, 0, true}, {2, 1, true}, {3, 0, true}}));
}

TEST(Lives, BeginWhereLinesAreMadeAndEndWhereTheyAreLastUsed) {
  int64_t unmade = 0;
  check_lives(41, [&](const Net& net, const std::vector<Step>& steps, const Lives& lives) {
    for (size_t m = 0; m < net.memories.size(); ++m) {
      ASSERT_EQ(static_cast<int64_t>(lives.lines[m].size()), net.memories[m].lines);
      for (int64_t l = 0; l < net.memories[m].lines; ++l) {
        const LineLife& life = lives.lines[m][static_cast<size_t>(l)];
        int born = net.given[m] ? -1 : kNever, last = net.given[m] ? -1 : -2;
        for (size_t s = 0; s < steps.size(); ++s) {
          for_each_touch(net, steps[s], [&](int memory, int64_t line, bool written) {
            if (memory != static_cast<int>(m) || line != l) return;
            if (written) born = std::min(born, static_cast<int>(s));
            last = static_cast<int>(s);
          });
        }
        unmade += net.kept[m] && born == kNever;
        if (net.kept[m] && born != kNever) last = kNever;
        EXPECT_EQ(life.born, born) << m << " " << l;
        EXPECT_EQ(life.last, last) << m << " " << l;
      }
    }
  });
  EXPECT_GT(unmade, 20);
}

// The shortest ring in which no line is overwritten before it dies: line l stands in slot l modulo its length.
TEST(Lives, SlotsAreTheShortestRing) {
  int64_t rings = 0;
  check_lives(42, [&](const Net& net, const std::vector<Step>&, const Lives& lives) {
    for (size_t m = 0; m < net.memories.size(); ++m) {
      const std::vector<LineLife>& lines = lives.lines[m];
      int64_t furthest = -1, made = 0, before = -1;
      bool ascending = true;
      for (size_t r = 0; r < lines.size(); ++r) {
        if (lines[r].born == kNever) continue;
        ++made;
        ascending = ascending && lines[r].born >= before;
        before = lines[r].born;
        for (size_t q = 0; q <= r; ++q) {
          const bool together = lines[q].born != kNever && lines[q].last >= lines[r].born;
          if (together) furthest = std::max(furthest, static_cast<int64_t>(r - q));
        }
      }
      EXPECT_EQ(lives.ascending[m], ascending);
      const bool ring = ascending && !net.contiguous[m];
      EXPECT_EQ(lives.slots[m], made == 0 ? 0 : ring ? furthest + 1 : net.memories[m].lines) << m;
      rings += ring && made > 0 && lives.slots[m] < made;
    }
  });
  EXPECT_GT(rings, 200);
}

// Before a step what it does not make, behind it what does not die in it; scratch at both.
TEST(Lives, AliveIsWhatMustBeApart) {
  check_lives(43, [](const Net& net, const std::vector<Step>& steps, const Lives& lives) {
    ASSERT_EQ(lives.alive.size(), steps.size());
    int64_t bound = 0;
    int bound_step = 0;
    for (int s = 0; s < static_cast<int>(steps.size()); ++s) {
      int64_t before = 0, behind = 0;
      for (size_t m = 0; m < net.memories.size(); ++m) {
        if (net.outside[m]) continue;
        const Memory& memory = net.memories[m];
        const bool scratch = memory.holds == Memory::Holds::scratch || memory.holds == Memory::Holds::window;
        for (const LineLife& life : lives.lines[m]) {
          if (life.born == kNever) continue;
          const bool here = life.born == s && life.last == s;
          before += (life.born < s && s <= life.last) || (here && scratch) ? memory.line_bytes : 0;
          behind += (life.born <= s && s < life.last) || here ? memory.line_bytes : 0;
        }
      }
      const int64_t alive = lives.alive[static_cast<size_t>(s)];
      EXPECT_EQ(alive, std::max(before, behind)) << s;
      if (alive > bound) bound = alive, bound_step = s;
    }
    EXPECT_EQ(lives.bound, bound);
    EXPECT_EQ(lives.bound_step, bound_step);
  });
}

}  // namespace
}  // namespace tarn::stream
