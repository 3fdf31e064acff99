#include "stream/schedule/looped_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/random.h"

namespace tarn::stream {
namespace {

std::vector<Step> steps_of(const std::vector<int>& actors) {
  std::vector<Step> steps;
  for (int actor : actors) steps.push_back({actor, 0, 1});
  return steps;
}

std::vector<int> expand(const std::vector<ScheduleLoop>& loops) {
  std::vector<int> actors;
  for (const ScheduleLoop& loop : loops) {
    for (int64_t t = 0; t < loop.times; ++t) actors.insert(actors.end(), loop.actors.begin(), loop.actors.end());
  }
  return actors;
}

int64_t bytes(const std::vector<ScheduleLoop>& loops) {
  LinePlan plan;
  plan.loops = loops;
  return table_bytes(plan);
}

TEST(LoopedSchedule, NoStepsNoLoops) { EXPECT_TRUE(find_schedule_loops({}).empty()); }

TEST(LoopedSchedule, RepetitionIsFound) {
  std::vector<int> actors = {7, 7};
  for (int i = 0; i < 40; ++i) actors.insert(actors.end(), {0, 1, 1, 2});
  actors.push_back(3);
  const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
  EXPECT_EQ(expand(loops), actors);
  // The two that lead in, the four repeated, the one that ends it.
  EXPECT_LE(loops.size(), 3u);
  EXPECT_LE(bytes(loops), 3 * 3 + 2 + 4 + 1);
}

TEST(LoopedSchedule, WhateverComesIsKept) {
  planner::Random random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> actors;
    const int64_t kinds = 1 + random.below(4), count = random.below(400);
    for (int64_t i = 0; i < count; ++i) actors.push_back(static_cast<int>(random.below(kinds)));
    const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
    EXPECT_EQ(expand(loops), actors);
    EXPECT_LE(bytes(loops), 3 * (count / 255 + 1) + count);
  }
}

// The fewest bytes of a list of loops, each run once or as often as its body comes again, by trying every first loop.
int64_t least_bytes(const std::vector<int>& actors) {
  std::vector<int64_t> least(actors.size() + 1, 0);
  for (size_t i = actors.size(); i-- > 0;) {
    least[i] = INT64_MAX;
    const auto from = actors.begin() + static_cast<std::ptrdiff_t>(i);
    for (size_t body = 1; i + body <= actors.size(); ++body) {
      size_t end = i + body;
      const auto again = [&] {
        return end + body <= actors.size() &&
               std::equal(from, from + static_cast<std::ptrdiff_t>(body), from + static_cast<std::ptrdiff_t>(end - i));
      };
      while (again()) end += body;
      least[i] = std::min(
          {least[i], 3 + static_cast<int64_t>(body) + least[i + body], 3 + static_cast<int64_t>(body) + least[end]});
    }
  }
  return least[0];
}

TEST(LoopedSchedule, NoListIsShorter) {
  planner::Random random(6);
  int looped = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<int> actors;
    const int64_t kinds = 1 + random.below(3);
    for (int64_t i = random.below(40); i > 0; --i) actors.push_back(static_cast<int>(random.below(kinds)));
    // A body that comes again, so that loops pay.
    const std::vector<int> body(actors.begin(), actors.begin() + static_cast<std::ptrdiff_t>(actors.size() / 3));
    for (int64_t i = random.below(4); i > 0; --i) actors.insert(actors.end(), body.begin(), body.end());
    const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
    EXPECT_EQ(expand(loops), actors);
    EXPECT_EQ(bytes(loops), least_bytes(actors)) << round;
    for (const ScheduleLoop& loop : loops) looped += loop.times > 1;
  }
  EXPECT_GT(looped, 300);
}

// A body is counted in one byte: 255 actors are repeated, 256 are listed again.
TEST(LoopedSchedule, BodiesAreNoLongerThanTheirCount) {
  for (const int length : {254, 255, 256, 400}) {
    std::vector<int> actors;
    for (int times = 0; times < 5; ++times) {
      for (int i = 0; i < length; ++i) actors.push_back(i);
    }
    const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
    EXPECT_EQ(expand(loops), actors);
    EXPECT_EQ(loops.front().times, length <= 255 ? 5 : 1) << length;
    for (const ScheduleLoop& loop : loops) EXPECT_LE(loop.actors.size(), 255u);
  }
}

TEST(LoopedSchedule, LongRunsAreCutWhereTheirCountEnds) {
  const std::vector<int> actors(100'000, 4);
  const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
  EXPECT_EQ(expand(loops), actors);
  for (const ScheduleLoop& loop : loops) EXPECT_LE(loop.times, 65535);
  EXPECT_LE(loops.size(), 2u);
}

}  // namespace
}  // namespace tarn::stream
