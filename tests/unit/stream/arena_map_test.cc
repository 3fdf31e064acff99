#include "stream/check/arena_map.h"

#include <gtest/gtest.h>

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

TEST(ArenaMap, NoBytesAreHeldAnywhere) {
  ArenaMap map;
  map.write(4, 0, {0, 0});
  EXPECT_TRUE(map.holds(4, 0, {1, 1}));
  EXPECT_FALSE(map.holds(4, 1, {0, 0}));
}

}  // namespace
}  // namespace tarn::stream
