// One packing for a network at several heights, against its definition: at each height every line that is made has one
// place, and lines that live at once lie apart, or overlap as far as reads allow.
#include "stream/schedule/pack_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "planner/random.h"
#include "stream/schedule/pull.h"
#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

using testing::chain_of;

// A chain whose last layer reads the first lines alone of the one before, at each height as many as `reach` says.
Net that_reads_first_lines(int64_t height, int64_t reach, planner::Random random) {
  Net net = chain_of(2 + static_cast<int>(random.below(4)), height, random);
  NetNode& node = net.nodes.back();
  node.reads.resize(1);
  const int64_t back = random.below(4);
  for (int64_t r = 0; r < height; ++r)
    node.reads.front().lines[static_cast<size_t>(r)] = {std::clamp<int64_t>(r - back, 0, reach),
                                                        std::min(r + 1, reach)};
  return net;
}

struct Line {
  const Packed* packed;
  int64_t line, at, bytes;
  LineLife life;
};

// The lines that are made at one height, with the address of each.
std::vector<Line> lines_of(const Net& net, const PackedCuts& size) {
  std::vector<Line> lines;
  for (size_t i = 0; i < size.packing.items.size(); ++i) {
    const Packed& packed = size.packing.items[i];
    const auto m = static_cast<size_t>(packed.memory);
    const int64_t bytes = net.memories[m].line_bytes;
    for (int64_t l = std::max<int64_t>(0, packed.line); l < net.memories[m].lines; l += packed.step) {
      const LineLife life = size.lives.lines[m][static_cast<size_t>(l)];
      const int64_t slot = packed.line < 0 ? l % size.lives.slots[m] : 0;
      if (life.born != kNever) lines.push_back({&packed, l, size.plan.offsets[i] + slot * bytes, bytes, life});
    }
  }
  return lines;
}

bool clash(const Net& net, const std::vector<Step>& steps, const Line& x, const Line& y) {
  if (x.at >= y.at + y.bytes || y.at >= x.at + x.bytes) return false;
  if (x.life.last < y.life.born || y.life.last < x.life.born) return false;
  if (x.life.last > y.life.born && y.life.last > x.life.born) return true;
  const Line &dies = x.life.last == y.life.born ? x : y, &made = &dies == &x ? y : x;
  const auto distance = overlap_distance_at(net, steps[static_cast<size_t>(made.life.born)], dies.packed->memory,
                                            dies.line, made.packed->memory);
  return !distance || made.at > dies.at - *distance;
}

struct Seen {
  int clashes = 0, unplaced = 0, overlapping = 0;
};

Seen look_at(const Net& net, const PackedCuts& size) {
  Seen seen;
  std::vector<std::vector<bool>> placed(net.memories.size());
  for (size_t m = 0; m < placed.size(); ++m) placed[m].assign(size.lives.lines[m].size(), false);
  const std::vector<Line> lines = lines_of(net, size);
  for (size_t a = 0; a < lines.size(); ++a) {
    placed[static_cast<size_t>(lines[a].packed->memory)][static_cast<size_t>(lines[a].line)] = true;
    EXPECT_GE(lines[a].at, 0);
    EXPECT_LE(lines[a].at + lines[a].bytes, size.plan.arena);
    for (size_t b = 0; b < a; ++b) {
      seen.clashes += clash(net, size.steps, lines[a], lines[b]);
      seen.overlapping += lines[b].life.last == lines[a].life.born && lines[b].at < lines[a].at + lines[a].bytes &&
                          lines[a].at < lines[b].at + lines[b].bytes;
    }
  }
  for (size_t m = 0; m < placed.size(); ++m) {
    for (size_t l = 0; l < placed[m].size() && !net.outside[m]; ++l)
      seen.unplaced += size.lives.lines[m][l].born != kNever && !placed[m][l];
  }
  return seen;
}

// The first height at which no line is made of a memory of the arena of which lines are made at another.
std::optional<size_t> with_an_unmade_memory(const std::vector<SizedNet>& sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    for (size_t m = 0; m < sizes[i].lives.slots.size(); ++m) {
      const auto made = [&](const SizedNet& size) { return size.lives.slots[m] > 0; };
      if (!sizes[i].net->outside[m] && !made(sizes[i]) && std::any_of(sizes.begin(), sizes.end(), made)) return i;
    }
  }
  return {};
}

std::vector<SizedNet> sized(const std::vector<Net>& nets, const std::vector<bool>& cuts) {
  std::vector<SizedNet> sizes;
  for (const Net& net : nets) {
    sizes.push_back({.net = &net, .steps = pull_all(net, cuts), .lives = {}});
    sizes.back().lives = find_lives(net, sizes.back().steps);
  }
  return sizes;
}

TEST(PackSizes, EveryLineOfEachHeightHasAPlaceOfItsOwn) {
  int refused = 0, spread = 0, overlapping = 0, missing = 0, proved = 0;
  int64_t arenas = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    planner::Random random(seed);
    const int64_t most = 6 + random.below(7);
    const std::vector<int64_t> heights{most - 2 - random.below(3), most - 1, most};
    std::vector<int64_t> reaches;
    const bool nothing = random.below(12) == 0;  // is read of that layer at any height
    for (const int64_t height : heights) {
      const int64_t most_reached = reaches.size() == 2 && random.below(2) == 0 ? 2 : height;
      const int64_t reach = random.below(12) == 0 ? 0 : 1 + random.below(most_reached);
      reaches.push_back(nothing ? 0 : random.below(2) == 0 && reaches.size() < 2 ? height : reach);
    }
    const bool outside = random.below(8) == 0;  // of the arena: what the last layer reads
    std::vector<Net> nets;
    for (size_t i = 0; i < heights.size(); ++i) {
      nets.push_back(that_reads_first_lines(heights[i], reaches[i], random));
      nets.back().outside[nets.back().outside.size() - 2] = outside;
    }
    std::vector<bool> cuts(nets.back().nodes.size() + 1, false);
    for (size_t n = 1; n + 1 < cuts.size(); ++n) cuts[n] = random.below(4) == 0;
    const std::vector<SizedNet> sizes = sized(nets, cuts);
    const PackedSizes found = pack_sizes(cuts, sizes, {.alignment = 4, .effort = 0});
    const std::optional<size_t> other = with_an_unmade_memory(sizes);
    ASSERT_EQ(found.obstacle.empty(), !other) << seed << found.obstacle;
    if (other) {
      EXPECT_EQ(found.at, *other) << seed;
      ++refused;
      continue;
    }
    ASSERT_EQ(found.sizes.size(), nets.size());
    for (size_t i = 0; i < nets.size(); ++i) {
      const Seen seen = look_at(nets[i], found.sizes[i]);
      EXPECT_EQ(seen.clashes, 0) << seed << " at " << heights[i];
      EXPECT_EQ(seen.unplaced, 0) << seed << " at " << heights[i];
      overlapping += seen.overlapping;
    }
    proved += found.sizes[0].plan.proof == planner::Proof::optimal;
    spread += found.sizes[0].packing.places == Places::slots;
    missing += reaches.back() < std::max(reaches[0], reaches[1]);
    arenas += found.sizes[0].plan.arena + static_cast<int64_t>(found.sizes[0].plan.search_nodes);
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(proved, 60);
  EXPECT_GT(spread, 30);
  EXPECT_GT(overlapping, 200);
  EXPECT_EQ(arenas, 218924) << "of all together, with the work: a change of what is packed, or of how well";
  EXPECT_GT(missing, 40) << "at the largest height fewer lines are made than at others";
}

// A memory of no bytes is not packed, so that of two heights with other such memories neither has the items of the
// other.
TEST(PackSizes, HeightsThatNeedOtherMemoriesAreRefused) {
  for (const auto& [other, most] : {std::pair{0, 1}, {1, 0}, {-1, 1}, {1, -1}, {1, 1}}) {
    for (const size_t at : {0, 1}) {
      std::vector<Net> nets;
      for (size_t i = 0; i < 3; ++i) {
        planner::Random random(5);
        nets.push_back(chain_of(3, 6, random));
        const int empty = i == at ? other : most;
        if (empty >= 0) nets.back().memories[static_cast<size_t>(empty)].line_bytes = 0;
      }
      const std::vector<bool> cuts(nets.back().nodes.size() + 1, false);
      const PackedSizes found = pack_sizes(cuts, sized(nets, cuts), {.alignment = 4, .effort = 0});
      EXPECT_EQ(found.obstacle.empty(), other == most) << other << " " << most;
      EXPECT_EQ(found.sizes.empty(), other != most);
      if (other != most) {
        EXPECT_EQ(found.at, at);
      }
    }
  }
}

// What stands in one piece is as long as its own lines are at the height that needs most.
TEST(PackSizes, PiecesMayHaveLinesOfTheirOwn) {
  for (const int64_t line_bytes : {1, 2, 3, 5}) {
    std::vector<Net> nets;
    for (const int64_t height : {4, 6}) {
      planner::Random random(5);
      nets.push_back(chain_of(3, height, random));
      nets.back().contiguous[1] = true;
      nets.back().memories[1].line_bytes = height == 6 ? 2 : line_bytes;
    }
    const std::vector<bool> cuts(nets.back().nodes.size() + 1, false);
    const PackedSizes found = pack_sizes(cuts, sized(nets, cuts), {.alignment = 1, .effort = 0});
    ASSERT_EQ(found.sizes.size(), 2u);
    const Packing& packing = found.sizes[0].packing;
    const auto piece = std::find_if(packing.items.begin(), packing.items.end(),
                                    [](const Packed& packed) { return packed.memory == 1; });
    ASSERT_NE(piece, packing.items.end());
    EXPECT_EQ(packing.problem.items[static_cast<size_t>(piece - packing.items.begin())].size,
              std::max<int64_t>(6 * 2, 4 * line_bytes));
  }
}

bool inside(const std::vector<planner::Forbidden>& forbidden, int64_t difference) {
  return std::any_of(forbidden.begin(), forbidden.end(),
                     [&](const planner::Forbidden& f) { return f.lo < difference && difference < f.hi; });
}

// Whether a problem forbids its item b to begin so far above its item a.
bool forbids(const planner::Problem& problem, int a, int b, int64_t difference) {
  for (const planner::Pair& pair : problem.pairs) {
    if (pair.a == a && pair.b == b) return inside(pair.forbidden, difference);
  }
  const planner::Item &x = problem.items[static_cast<size_t>(a)], &y = problem.items[static_cast<size_t>(b)];
  return x.first < y.end && y.first < x.end && inside({{-y.size, x.size}}, difference);
}

// Problems with rules of their own, with others' plain ones, and of items of which some never meet.
TEST(PackSizes, WhatAnyHeightForbidsAllDoAndNoMore) {
  planner::Random random(9);
  int of_own = 0, plain = 0, free = 0;
  for (int round = 0; round < 300; ++round) {
    const int items = 2 + static_cast<int>(random.below(4));
    std::vector<Packing> packings(1 + static_cast<size_t>(random.below(3)));
    int64_t bound = 0;
    for (Packing& packing : packings) {
      packing.places = Places::slots;
      packing.problem.known_bound = random.below(50);
      bound = std::max(bound, packing.problem.known_bound);
      for (int i = 0; i < items; ++i) {
        planner::Item item;
        item.size = 1 + random.below(6);
        item.first = random.below(4);
        item.end = item.first + 1 + random.below(3);
        packing.problem.items.push_back(item);
        packing.items.push_back({i});
      }
      for (int a = 0; a < items; ++a) {
        for (int b = a + 1; b < items; ++b) {
          if (random.below(3) > 0) continue;
          const int64_t lo = random.below(8) - 6;
          packing.problem.pairs.push_back({a, b, {{lo, lo + 1 + random.below(5)}}});
        }
      }
    }
    const Packing merged = merge_packings(packings);
    EXPECT_EQ(merged.places, Places::slots);
    EXPECT_EQ(merged.problem.known_bound, bound);
    ASSERT_EQ(merged.problem.items.size(), static_cast<size_t>(items));
    for (int a = 0; a < items; ++a) {
      int64_t size = 0;
      for (const Packing& p : packings) size = std::max(size, p.problem.items[static_cast<size_t>(a)].size);
      EXPECT_EQ(merged.problem.items[static_cast<size_t>(a)].size, size);
      for (int b = a + 1; b < items; ++b) {
        for (int64_t d = -12; d <= 12; ++d) {
          const bool any = std::any_of(packings.begin(), packings.end(),
                                       [&](const Packing& p) { return forbids(p.problem, a, b, d); });
          ASSERT_EQ(forbids(merged.problem, a, b, d), any) << round << ": " << a << " " << b << " by " << d;
          (any ? plain : free)++;
        }
      }
    }
    of_own += static_cast<int>(merged.problem.pairs.size());
  }
  EXPECT_GT(of_own, 500);
  EXPECT_GT(plain, 1000);
  EXPECT_GT(free, 1000);
}

}  // namespace
}  // namespace tarn::stream
