// Signals without end: rings of which all meet again, and what has no plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "stream/endless.h"
#include "stream/schedule/pull.h"
#include "unit/stream/signal_layers.h"

namespace tarn::stream {
namespace {

using testing::SignalLayers;

std::vector<int64_t> rings_of(const EndlessPlan& made) {
  std::vector<int64_t> slots;
  for (const Memory& memory : made.plan.memories) {
    if (memory.holds == Memory::Holds::tensor) slots.push_back(memory.slots);
  }
  return slots;
}

// Rings are as long as they must be where all are in their first slots again before counters overflow; else as long as
// the next number that has no factors but twos and one three.
TEST(EndlessRings, MeetAgainInTime) {
  for (const bool soon : {true, false}) {
    const std::vector<int64_t> windows =
        soon ? std::vector<int64_t>{5, 7, 9}
             : std::vector<int64_t>{7, 11, 13, 16, 17, 19, 23, 24, 25, 29, 31, 37, 3, 2};
    SignalLayers layers(600);
    for (const int64_t count : windows) layers.window(count);
    const EndlessPlan made = layers.plan();
    ASSERT_EQ(made.obstacle, "");
    ASSERT_TRUE(made.plan.endless);
    const std::vector<int64_t> slots = rings_of(made);
    ASSERT_EQ(slots.size(), windows.size() + 1);
    int64_t passes = 1;
    for (size_t i = 0; i < slots.size(); ++i) {
      passes = std::lcm(passes, slots[i]);
      const int64_t needed = i < windows.size() ? windows[i] : 1;
      int64_t expected = needed;
      if (!soon) {
        for (expected = 1; expected < needed;)
          expected = expected == 1 ? 2 : expected % 3 == 0 ? expected / 3 * 4 : expected == 2 ? 3 : expected / 2 * 3;
      }
      EXPECT_EQ(slots[i], expected) << i;
    }
    EXPECT_EQ(made.plan.endless->passes, passes);
  }
}

// Where several lines are made in a pass their counters count so many times the passes.
TEST(EndlessRings, CountersHoldThePasses) {
  constexpr int64_t kMost = int64_t{1} << 30, kProduct = int64_t{7} * 11 * 13 * 17 * 19 * 23 * 73;
  static_assert(kProduct <= kMost && 2 * kProduct > kMost);
  for (const int64_t stride : {1, 2}) {
    SignalLayers layers(600);
    for (const int64_t count : {7, 11, 13, 17, 19, 23, 73}) layers.window(count);
    layers.window(1, stride);
    const EndlessPlan made = layers.plan();
    ASSERT_EQ(made.obstacle, "");
    EXPECT_EQ(*std::max_element(made.plan.endless->lines.begin(), made.plan.endless->lines.end()), stride);
    EXPECT_EQ(made.plan.endless->passes == kProduct, stride == 1);
    EXPECT_LE(made.plan.endless->passes * stride, kMost);
  }
}

// There is no place for all of a result that has no end.
TEST(EndlessRings, ResultsAreHandedOut) {
  for (const bool drain : {false, true}) {
    SignalLayers layers(60);
    layers.window(3);
    const EndlessPlan made = layers.plan(drain);
    EXPECT_TRUE(made.plan.drain || !made.obstacle.empty()) << made.obstacle;
    EXPECT_TRUE(!drain || made.obstacle.empty());
  }
}

TEST(EndlessRings, NoPlanOfTooManyNodes) {
  for (const size_t nodes : {kLongestSegment, kLongestSegment + 1}) {
    SignalLayers layers(60);
    for (size_t n = 2; n < nodes; ++n) layers.window(1);
    EXPECT_EQ(layers.plan().obstacle.find("too many operations") == std::string::npos, nodes == kLongestSegment);
  }
}

}  // namespace
}  // namespace tarn::stream
