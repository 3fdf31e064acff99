#include "planner/coarsen.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/index.h"
#include "property/digest.h"

namespace tarn::planner {
namespace {

Strip strip_of(int section_count, Bytes capacity, std::vector<StripBlock> blocks) {
  for (StripBlock& b : blocks) b.max_offset = capacity - b.size;
  return {section_count, std::move(blocks)};
}

void expect_packing(const Strip& strip, const std::vector<Offset>& offsets) {
  ASSERT_EQ(offsets.size(), strip.blocks.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    const StripBlock& a = strip.blocks[i];
    ASSERT_GE(offsets[i], 0);
    ASSERT_LE(offsets[i], a.max_offset);
    for (size_t j = 0; j < i; ++j) {
      const StripBlock& b = strip.blocks[j];
      const bool meet = a.first <= b.last && b.first <= a.last;
      ASSERT_FALSE(meet && offsets[i] < offsets[j] + b.size && offsets[j] < offsets[i] + a.size) << i << ' ' << j;
    }
  }
}

// One block ends where two start that live alike: they fill its hole, whatever lies above and below.
TEST(Coarsen, FillsAHole) {
  const Strip strip = strip_of(2, 10, {{0, 0, 5}, {1, 1, 2}, {1, 1, 3}, {0, 1, 4}, {0, 1, 1}});
  const CoarseStrip coarse = coarsen(strip, {.chance = 0});
  ASSERT_EQ(coarse.strip.blocks.size(), 3u);
  EXPECT_EQ(coarse.strip.section_count, 1);
  expect_packing(strip, refine(coarse, {4, 0, 9}));
}

// With a byte to spare the two need not follow each other; with `chance` 0 they are not joined.
TEST(Coarsen, NothingThatOnlySeemsLikely) {
  const Strip strip = strip_of(2, 10, {{0, 0, 5}, {1, 1, 5}, {0, 1, 4}});
  EXPECT_EQ(coarsen(strip, {.chance = 0, .least_share = 1}).strip.blocks.size(), 3u);
  EXPECT_LT(coarsen(strip, {}).strip.blocks.size(), 3u);
}

// What two blocks have joined reaches over the cut, and ends there no more: two of that kind are not joined once more
// to what begins there and is as large as both.
TEST(Coarsen, WhatReachesOverACutIsNotJoinedThere) {
  const Strip strip = strip_of(2, 12, {{0, 0, 2}, {0, 0, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 4}});
  const CoarseStrip coarse = coarsen(strip, {.chance = 0, .sums_first = true});
  EXPECT_EQ(coarse.strip.blocks.size(), 3u);
  ValleySearch search(coarse.strip);
  ASSERT_EQ(search.run({}, 100), Verdict::found);
  expect_packing(strip, refine(coarse, search.offsets()));
}

// Three seams at one cut, of blocks of many sizes: what is as large as two others goes with them, else all would be
// stacked.
TEST(Coarsen, SumsFirst) {
  const Strip strip = strip_of(
      3, 100,
      {{0, 0, 30}, {1, 1, 10}, {1, 1, 20}, {0, 0, 25}, {1, 1, 12}, {1, 1, 13}, {0, 2, 45}, {2, 2, 30}, {2, 2, 25}});
  const CoarseStrip coarse = coarsen(strip, {.sums_first = true});
  ASSERT_EQ(coarse.strip.section_count, 1);
  ValleySearch search(coarse.strip);
  ASSERT_EQ(search.run({}, 100), Verdict::found);
  expect_packing(strip, refine(coarse, search.offsets()));
}

// A stack may not rise above what its members may.
TEST(Coarsen, StacksBelowTheLimitsOfTheirMembers) {
  Strip strip = strip_of(1, 10, {{0, 0, 4}, {0, 0, 3}});
  strip.blocks[1].max_offset = 5;
  const CoarseStrip coarse = coarsen(strip, {});
  ASSERT_EQ(coarse.strip.blocks.size(), 1u);
  expect_packing(strip, refine(coarse, {coarse.strip.blocks[0].max_offset}));
  strip.blocks[1].max_offset = 3;  // not on the other one
  EXPECT_EQ(coarsen(strip, {}).strip.blocks.size(), 2u);
}

// A rectangle in pieces, by cuts through and through.
std::vector<StripBlock> cut_up(Random& random, int sections, Bytes size, size_t count) {
  std::vector<StripBlock> pieces = {{0, sections - 1, size, 0}};
  while (pieces.size() < count) {
    StripBlock& p = pieces[static_cast<size_t>(random.below(static_cast<int64_t>(pieces.size())))];
    StripBlock rest = p;
    if (random.below(2) == 0 && p.last > p.first) {
      p.last = p.first + static_cast<int>(random.below(p.last - p.first));
      rest.first = p.last + 1;
    } else if (p.size > 1) {
      p.size = 1 + random.below(p.size - 1);
      rest.size -= p.size;
    } else {
      continue;
    }
    pieces.push_back(rest);
  }
  return pieces;
}

// What fell apart becomes whole again, however many pieces.
TEST(Coarsen, RectanglesBecomeWhole) {
  Random random(5);
  for (int t = 0; t < 200; ++t) {
    const std::vector<StripBlock> pieces = cut_up(random, 1000, 100000, 60);
    const Strip strip = strip_of(1000, 100000, pieces);
    Random draw(static_cast<uint64_t>(t));
    const Joining joining = t % 3 == 0 ? Joining{} : t % 3 == 1 ? Joining{.sums_first = true} : draw_joining(draw);
    const CoarseStrip coarse = coarsen(strip, joining);
    EXPECT_LT(coarse.strip.blocks.size(), pieces.size());
    ValleySearch search(coarse.strip);
    SearchConfig config;
    if (search.run(config, 2000) == Verdict::found) expect_packing(strip, refine(coarse, search.offsets()));
    else EXPECT_GT(coarse.strip.blocks.size(), 1u);
  }
}

// Small strips with equal sizes, holes and limits below the capacity: where each joined block may stand, its members
// may, and what is joined stays the same.
TEST(Coarsen, OfRandomStrips) {
  Random random(11);
  test::Digest digest;
  int joined = 0, limited = 0;
  for (int t = 0; t < 2000; ++t) {
    const Bytes capacity = 4 + random.below(30);
    std::vector<StripBlock> pieces = cut_up(random, 4 + static_cast<int>(random.below(5)), capacity, 4 + Z(t % 12));
    for (int holes = t % 3; holes > 0; --holes) {
      if (random.below(2) == 0) pieces.erase(pieces.begin() + random.below(std::ssize(pieces)));
    }
    Strip strip = strip_of(9, capacity, pieces);
    for (StripBlock& b : strip.blocks) {
      if (t % 4 != 0 || random.below(3) != 0 || b.max_offset == 0) continue;
      b.max_offset = random.below(b.max_offset);
      ++limited;
    }
    Random draw(static_cast<uint64_t>(t));
    Joining joining = draw_joining(draw);
    joining.sums_first = t % 2 == 1;
    const CoarseStrip coarse = coarsen(strip, joining);
    joined += coarse.strip.blocks.size() < strip.blocks.size();
    std::vector<Offset> highest;
    for (size_t i = 0; i < coarse.strip.blocks.size(); ++i) {
      const StripBlock& b = coarse.strip.blocks[i];
      digest.add(b.first).add(b.last).add(b.size).add(b.max_offset);
      highest.push_back(b.max_offset);
      for (const CoarseStrip::Member& m : coarse.members[i]) digest.add(m.block).add(m.above);
    }
    const std::vector<Offset> offsets = refine(coarse, highest);
    for (size_t i = 0; i < offsets.size(); ++i) ASSERT_LE(offsets[i], strip.blocks[i].max_offset) << t << ' ' << i;
    ValleySearch search(coarse.strip);
    if (search.run({}, 2000) == Verdict::found) expect_packing(strip, refine(coarse, search.offsets()));
  }
  EXPECT_GT(joined, 1000);
  EXPECT_GT(limited, 500);
  EXPECT_EQ(digest.value(), 5576185115590974507u);
}

}  // namespace
}  // namespace tarn::planner
