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

bool makes_all_at_last(const NetNode& node) { return node.actor.whole || node.actor.accumulate; }

// The lines of a node are those of its memory from a later one on.
void begin_at(Net& net, int64_t line, size_t n) {
  net.nodes[n].made = {line, line + net.nodes[n].lines};
  for (NetNode& reader : net.nodes) {
    for (Access& access : reader.reads) {
      for (Span& lines : access.lines) {
        if (access.memory == static_cast<int>(n)) lines = {lines.first + line, lines.end + line};
      }
    }
  }
}

// Layers that make several lines in a step, the last of them fewer, or all with their last step, and that leave some
// lines of others alone.
Net varied_chain(planner::Random& random) {
  Net net = testing::chain_of(3 + static_cast<int>(random.below(5)), 4 + random.below(6), random);
  for (size_t n = 1; n < net.nodes.size(); ++n) {
    NetNode& node = net.nodes[n];
    const int64_t lines = node.lines, most = lines - random.below(3);
    for (Access& access : node.reads) {
      for (Span& span : access.lines) span = {std::min(span.first, most), std::min(span.end, most)};
    }
    switch (random.below(5)) {
      case 0: node.actor.at_once = 1 + random.below(4); break;
      case 1: node.actor.accumulate = true; break;
      case 2:
        node.actor.whole = true;
        node.lines = 1;
        for (Access& access : node.reads) access.lines.clear(), access.all = {0, lines};
        break;
      default: break;
    }
    if (random.below(6) == 0) net.kept[n] = true;
  }
  for (size_t n = 0; n < net.nodes.size(); ++n) {
    const bool as_a_whole = std::any_of(net.nodes.begin(), net.nodes.end(), [&](const NetNode& reader) {
      return reader.actor.whole && std::any_of(reader.reads.begin(), reader.reads.end(), [&](const Access& access) {
               return access.memory == static_cast<int>(n);
             });
    });
    if (!as_a_whole && !makes_all_at_last(net.nodes[n])) begin_at(net, random.below(3), n);
  }
  return net;
}

// What a node reads is there, and what nobody asks for is not made.
TEST(Pull, StepsAreMadeWhenTheyAreAskedFor) {
  planner::Random random(9);
  int shorter = 0, left = 0, fed = 0;
  for (int round = 0; round < 400; ++round) {
    const Net net = varied_chain(random);
    const size_t count = net.nodes.size();
    std::vector<bool> cuts(count + 1, false);
    const size_t cut =
        random.below(2) == 0 ? 1 + static_cast<size_t>(random.below(static_cast<int64_t>(count) - 1)) : count;
    cuts[cut] = true;
    std::vector<int64_t> done(count, 0), needed(count, 0);
    const auto end_of = [&](size_t n) { return n < cut ? cut : count; };
    const auto reads_of = [&](size_t n) {  // of its own segment
      size_t reads = 0;
      for (size_t reader = n + 1; reader < end_of(n); ++reader) {
        for (const Access& access : net.nodes[reader].reads) reads += access.memory == static_cast<int>(n);
      }
      return reads;
    };
    const auto is_result = [&](size_t n) {
      return net.kept[n] || net.last_reader[n] < 0 || static_cast<size_t>(net.last_reader[n]) >= end_of(n);
    };
    const auto is_asked_for = [&](size_t n) {
      const int64_t once = net.nodes[n].actor.at_once;
      return done[n] <= std::max<int64_t>(0, (needed[n] + once - 1) / once * once);
    };
    for (const Step& step : pull_all(net, cuts)) {
      const auto n = static_cast<size_t>(step.actor);
      const NetNode& node = net.nodes[n];
      ASSERT_EQ(step.first_line, done[n]) << round;
      ASSERT_EQ(step.lines, std::min(node.actor.at_once, node.lines - done[n])) << round;
      shorter += step.lines < node.actor.at_once;
      for (const Access& access : node.reads) {
        const auto from = static_cast<size_t>(access.producers[0]);
        const NetNode& producer = net.nodes[from];
        for (int64_t r = step.first_line; r < step.first_line + step.lines; ++r) {
          const Span lines = access.at(r);
          const int64_t end = makes_all_at_last(producer) ? producer.lines : lines.end - producer.made.first;
          if (lines.first < lines.end) needed[from] = std::max(needed[from], end);
        }
        ASSERT_GE(done[from], needed[from]) << round;
      }
      done[n] += step.lines;
      if (reads_of(n) > 0) continue;  // a step of its reader may follow
      for (size_t m = n < cut ? 0 : cut; m < end_of(n); ++m) ASSERT_TRUE(is_result(m) || is_asked_for(m)) << round;
    }
    for (size_t n = 0; n < count; ++n) {
      if (n == 0 || is_result(n)) EXPECT_EQ(done[n], net.nodes[n].lines) << round;
      else EXPECT_TRUE(is_asked_for(n)) << round;
      left += done[n] < net.nodes[n].lines;
      fed += n == 0 && !is_asked_for(n);
    }
  }
  EXPECT_GT(shorter, 50);
  EXPECT_GT(left, 50);
  EXPECT_GT(fed, 20);
}

// Sums take lines in as soon as they are made, where both are in one segment.
TEST(Pull, SumsTakeLinesAsTheyCome) {
  planner::Random random(11);
  int at_once = 0;
  for (int round = 0; round < 100; ++round) {
    Net net = testing::chain_of(3, 4 + random.below(5), random);
    const int64_t lines = net.nodes[2].lines;
    NetNode &maker = net.nodes[1], &sums = net.nodes[2], &last = net.nodes[3];
    sums.actor.accumulate = true;
    for (int64_t r = 0; r < lines; ++r) sums.reads[0].lines[static_cast<size_t>(r)] = {r, r + 1};
    // What asks for the lines one by one needs the sums at last.
    for (Span& span : last.reads[0].lines) span = {0, 0};
    last.reads[0].lines.back() = {0, 1};
    Access lines_too = last.reads[0];
    lines_too.memory = 1;
    lines_too.producers = {1};
    if (round % 4 == 0) {
      maker.actor.whole = true;
      maker.lines = 1;
      maker.reads[0].lines.clear();
      maker.reads[0].all = {0, lines};
    } else if (round % 4 == 1) {  // sums of sums, of which there is one
      maker.actor.accumulate = true;
      maker.made = {2, 3};
      sums.lines = 2;
      sums.reads[0].lines = {{2, 3}, {2, 3}};
    } else {
      const int64_t before = random.below(3);
      maker.made = {before, before + lines};
      for (Span& span : sums.reads[0].lines) span = {span.first + before, span.end + before};
      maker.actor.at_once = 1 + random.below(3);
    }
    for (int64_t r = 0; r < last.lines; ++r) {
      const int64_t line = maker.made.first + std::min(r, maker.lines - 1);
      lines_too.lines[static_cast<size_t>(r)] = {line, line + 1};
    }
    last.reads.insert(last.reads.begin(), lines_too);
    net.last_reader[1] = 3;
    net.eager[1] = {2};
    std::vector<bool> cuts(5, false);
    cuts[2] = random.below(3) == 0;
    std::vector<int64_t> done(4, 0);
    const std::vector<Step> steps = pull_all(net, cuts);
    for (size_t s = 0; s < steps.size(); ++s) {
      done[static_cast<size_t>(steps[s].actor)] += steps[s].lines;
      const bool takes = s + 1 < steps.size() && steps[s + 1].actor == 2;
      if (cuts[2]) {
        ASSERT_TRUE(!takes || done[1] == maker.lines) << round;
        continue;
      }
      const int64_t made = makes_all_at_last(maker) ? done[1] / maker.lines * sums.lines : done[1];
      ASSERT_EQ(takes, done[2] < made) << round << " " << s;
      at_once += steps[s].actor == 1 && done[2] < made;
    }
    EXPECT_EQ(done[2], sums.lines) << round;
  }
  EXPECT_GT(at_once, 100);
}

// A pass of an input is taken to its end before the next one begins, wherever a segment ends.
TEST(Pull, PassesOfAnInputAreWhole) {
  for (const bool cut : {false, true}) {
    planner::Random random(5);
    Net net = testing::chain_of(3, 4, random);
    net.nodes[0].repeated = true;
    net.nodes[2].actor.what = Actor::What::feed;
    net.nodes[2].reads.clear();
    net.nodes[2].after = 0;
    // Of the first pass only its first line is read.
    for (Span& lines : net.nodes[1].reads[0].lines) lines = {0, 1};
    net.kept[1] = true;
    std::vector<bool> cuts(5, false);
    cuts[2] = cut;
    std::vector<std::pair<int, int64_t>> expected = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {0, 1}, {0, 2}, {0, 3}};
    const std::vector<std::pair<int, int64_t>> second = {{2, 0}, {2, 1}, {3, 0}, {2, 2},
                                                         {3, 1}, {2, 3}, {3, 2}, {3, 3}};
    if (cut) expected.insert(expected.end(), second.begin(), second.end());
    else
      expected = {{0, 0}, {1, 0}, {0, 1}, {0, 2}, {0, 3}, {2, 0}, {2, 1}, {3, 0},
                  {1, 1}, {2, 2}, {3, 1}, {1, 2}, {2, 3}, {3, 2}, {1, 3}, {3, 3}};
    EXPECT_EQ(steps_of(net, cuts), expected) << cut;
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
