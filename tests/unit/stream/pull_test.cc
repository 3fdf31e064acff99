// The order of steps: what a segment is without cuts, and what is asked for before a step.
#include "stream/schedule/pull.h"

#include <gtest/gtest.h>

#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

std::vector<std::pair<int, int64_t>> steps_of(const Net& net, const std::vector<bool>& cuts) {
  std::vector<std::pair<int, int64_t>> steps;
  for (const Step& step : pull_all(net, cuts)) steps.emplace_back(step.actor, step.first_line);
  return steps;
}

// A segment ends after so many nodes wherever it begins.
TEST(Pull, SegmentsEndWithoutCuts) {
  for (const size_t first : {size_t{0}, size_t{7}}) {
    planner::Random random(5);
    const Net net = testing::chain_of(2 * kLongestSegment + 100, 4, random);
    std::vector<bool> none(net.nodes.size() + 1, false);
    if (first > 0) none[first] = true;
    std::vector<bool> cuts = none;
    cuts[first + kLongestSegment] = cuts[first + 2 * kLongestSegment] = true;
    EXPECT_EQ(steps_of(net, none), steps_of(net, cuts));
    std::vector<bool> other = cuts;
    other[first + kLongestSegment - 1] = true;
    EXPECT_NE(steps_of(net, none), steps_of(net, other));
  }
}

// Where a step reads no line it waits for none, wherever in the memory that is.
TEST(Pull, NothingIsReadOfNoLines) {
  planner::Random random(5);
  Net net = testing::chain_of(1, 4, random);
  for (const int64_t at : {0, 3}) {
    net.nodes[1].reads[0].lines = {{at, at}, {0, 1}, {at, at}, {0, 4}};
    EXPECT_EQ(steps_of(net, {false, false, false}),
              (std::vector<std::pair<int, int64_t>>{{1, 0}, {0, 0}, {1, 1}, {1, 2}, {0, 1}, {0, 2}, {0, 3}, {1, 3}}));
  }
}

}  // namespace
}  // namespace tarn::stream
