#include "stream/check/arena_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "planner/random.h"

namespace tarn::stream {
namespace {

// Who wrote each byte last, and as which byte of its line, one by one.
TEST(ArenaMap, HoldsWhatWasWrittenLast) {
  struct Byte {
    ArenaMap::Tag tag;
    int64_t start = -1;
    int turn = -1;
  };
  planner::Random random(31);
  int64_t held = 0, gone = 0;
  for (int round = 0; round < 300; ++round) {
    std::array<Byte, 24> bytes;
    ArenaMap map;
    for (int turn = 0; turn < 30; ++turn) {
      const int64_t at = random.below(20), size = random.below(5);
      const ArenaMap::Tag tag{static_cast<int>(random.below(2)), random.below(2)};
      map.write(at, size, tag);
      for (int64_t b = at; b < at + size; ++b) bytes.at(static_cast<size_t>(b)) = {tag, at, turn};
      for (int64_t first = 0; first < 20; ++first) {
        for (int64_t count = 1; count < 5; ++count) {
          for (const ArenaMap::Tag asked : {ArenaMap::Tag{0, 0}, ArenaMap::Tag{0, 1}, ArenaMap::Tag{1, 1}}) {
            bool all = true;
            for (int64_t b = first; b < first + count; ++b) {
              const Byte& byte = bytes.at(static_cast<size_t>(b));
              all = all && byte.tag == asked && byte.start == first &&
                    byte.turn == bytes.at(static_cast<size_t>(first)).turn;
            }
            ASSERT_EQ(map.holds(first, count, asked), all) << first << " " << count;
            (all ? held : gone)++;
          }
        }
      }
    }
  }
  EXPECT_GT(held, 10000);
  EXPECT_GT(gone, 10000);
}

// Rings of random memories, whose lines now and then come out of turn or lie over one another.
TEST(ArenaMap, WhatIsIntactIsHeldLineByLine) {
  planner::Random random(47);
  int64_t intact = 0, unknown = 0, lost = 0;
  for (int round = 0; round < 300; ++round) {
    ArenaMap map;
    std::array<int64_t, 2> base{random.below(6), 4 + random.below(12)}, bytes{1 + random.below(3), 1 + random.below(3)},
        slots{1 + random.below(6), 1 + random.below(6)}, next{0, 0};
    const auto address = [&](size_t m, int64_t l) { return base.at(m) + l % slots.at(m) * bytes.at(m); };
    for (int turn = 0; turn < 40; ++turn) {
      const auto m = static_cast<size_t>(random.below(2));
      int64_t& line = next.at(m);
      if (random.below(8) == 0) line = std::max<int64_t>(0, line - random.below(3));
      map.write(address(m, line), bytes.at(m), {static_cast<int>(m), line});
      ++line;
      for (size_t asked = 0; asked < 2; ++asked) {
        for (int64_t first = std::max<int64_t>(0, next.at(asked) - 7); first <= next.at(asked); ++first) {
          for (int64_t end = first + 1; end <= next.at(asked) + 1; ++end) {
            bool all = true;
            for (int64_t l = first; l < end; ++l)
              all = all && map.holds(address(asked, l), bytes.at(asked), {static_cast<int>(asked), l});
            const bool said = map.intact(static_cast<int>(asked), first, end);
            ASSERT_TRUE(all || !said) << "lines " << first << " to " << end << " of memory " << asked;
            (said ? intact : all ? unknown : lost)++;
          }
        }
      }
    }
  }
  EXPECT_GT(intact, 10000);
  EXPECT_GT(lost, 10000);
  EXPECT_LT(unknown, intact / 4) << "it should know most of what is there";
}

TEST(ArenaMap, NoBytesAreHeldAnywhere) {
  ArenaMap map;
  map.write(4, 0, {0, 0});
  EXPECT_TRUE(map.holds(4, 0, {1, 1}));
  EXPECT_FALSE(map.holds(4, 1, {0, 0}));
}

}  // namespace
}  // namespace tarn::stream
