// States that are known to be refuted, by the sections they are of.
#include "planner/window_nogoods.h"

#include <gtest/gtest.h>

namespace tarn::planner {
namespace {

uint64_t key(uint64_t i) { return i | (i * 0x9E37u) << 40; }

// The number by which add() chooses between two of 400 windows.
uint64_t pick(uint64_t one, uint64_t other) {
  const uint64_t high = other << 32;
  return high | (one + 400 - high % 400) % 400;
}

size_t window_of(const WindowNogoods& nogoods, int first, int last) {
  for (size_t w = 0; w < nogoods.windows().size(); ++w) {
    if (nogoods.windows()[w].first == first && nogoods.windows()[w].last == last) return w;
  }
  ADD_FAILURE() << first << " to " << last;
  return 0;
}

// Places are made for more while there are some; none is lost when they move.
TEST(WindowNogoods, WhatIsAddedIsRefuted) {
  WindowNogoods nogoods(4, 12);
  for (uint64_t i = 0; i < 1000; ++i) {
    nogoods.add(0, i % 2 == 0 ? 3 : 4, key(i), 0);
    for (uint64_t j = i < 20 ? 0 : i - 20; j <= i; ++j) {
      ASSERT_TRUE(nogoods.refuted(window_of(nogoods, 0, j % 2 == 0 ? 3 : 4), key(j))) << i << " " << j;
      ASSERT_FALSE(nogoods.refuted(window_of(nogoods, 0, 3), key(j + 5000)));
    }
  }
  for (uint64_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(nogoods.refuted(window_of(nogoods, 0, i % 2 == 0 ? 3 : 4), key(i))) << i;
    if (i > 0) {
      EXPECT_FALSE(nogoods.refuted(window_of(nogoods, 0, i % 2 == 0 ? 4 : 3), key(i))) << "of another window";
    }
    EXPECT_FALSE(nogoods.refuted(0, key(i) ^ uint64_t{1} << 60)) << "of the same place";
    EXPECT_FALSE(nogoods.refuted(0, key(i) ^ uint64_t{1} << 30)) << "of the same place and tag";
  }
  EXPECT_EQ(nogoods.windows().size(), 2u);
}

// Of two windows the one that was of less use gives way.
TEST(WindowNogoods, UsefulWindowsStay) {
  WindowNogoods nogoods(10, 14);
  for (int w = 0; w < 400; ++w) nogoods.add(w, w + 1, key(static_cast<uint64_t>(w)), 0);
  ASSERT_EQ(nogoods.windows().size(), 400u);
  ASSERT_TRUE(nogoods.refuted(7, key(7)));
  nogoods.add(7, 8, key(600), 0);
  EXPECT_EQ(nogoods.windows()[7].uses, 1u + 4 + 1);
  nogoods.add(1000, 1001, key(700), pick(7, 9));
  EXPECT_EQ(nogoods.windows().size(), 400u);
  EXPECT_EQ(nogoods.windows()[7].first, 7);
  EXPECT_EQ(nogoods.windows()[9].first, 1000);
  nogoods.add(2000, 2001, key(701), pick(5, 7));
  EXPECT_EQ(nogoods.windows()[5].first, 2000);
  nogoods.add(3000, 3001, key(702), pick(11, 12));  // of two alike, the first
  EXPECT_EQ(nogoods.windows()[11].first, 3000);
  // A window that went is new when it comes again.
  nogoods.add(9, 10, key(703), pick(20, 20));
  EXPECT_EQ(nogoods.windows()[20].first, 9);
  EXPECT_EQ(nogoods.windows()[20].uses, 1u);
}

}  // namespace
}  // namespace tarn::planner
