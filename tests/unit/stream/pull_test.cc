// The order of steps: what a segment is without cuts, and what is asked for before a step.
#include "stream/schedule/pull.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stream/endless.h"
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

// Lines that come are taken on at once by all that has what it reads, and each node makes all of its lines once.
TEST(Push, EachLineAsSoonAsItCanBeMade) {
  planner::Random random(6);
  for (int round = 0; round < 60; ++round) {
    Net net = testing::chain_of(1 + round % 6, 4 + round % 5, random);
    for (size_t n = 1; n < net.nodes.size(); ++n) {
      for (Span& lines : net.nodes[n].reads[0].lines) {
        if (random.below(8) == 0) lines.first = lines.end;
      }
    }
    // Lines of a node may be those of its memory from a later one on.
    const int64_t before = round % 3;
    for (NetNode& node : net.nodes) {
      node.made = {before, before + node.lines};
      for (Access& access : node.reads) {
        for (Span& lines : access.lines) lines = {lines.first + before, lines.end + before};
      }
    }
    std::vector<int64_t> done(net.nodes.size(), 0);
    const auto ready = [&](size_t n) {
      const NetNode& node = net.nodes[n];
      return done[n] < node.lines && std::all_of(node.reads.begin(), node.reads.end(), [&](const Access& access) {
               const Span lines = access.at(done[n]);
               return lines.first >= lines.end || before + done[static_cast<size_t>(access.memory)] >= lines.end;
             });
    };
    for (const Step& step : push_all(net)) {
      const auto n = static_cast<size_t>(step.actor);
      ASSERT_TRUE(ready(n)) << round;
      // The first line of a node is looked for when something that it reads comes.
      for (size_t other = 1; n == 0 && other < net.nodes.size(); ++other) {
        ASSERT_FALSE(done[other] > 0 && ready(other)) << round << " " << other;
      }
      ASSERT_EQ(step.first_line, done[n]++) << round;
    }
    for (size_t n = 0; n < net.nodes.size(); ++n) EXPECT_EQ(done[n], net.nodes[n].lines) << round;
  }
}

}  // namespace
}  // namespace tarn::stream
