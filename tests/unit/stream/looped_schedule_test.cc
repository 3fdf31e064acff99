#include "stream/schedule/looped_schedule.h"

#include <gtest/gtest.h>

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

TEST(LoopedSchedule, LongRunsAreCutWhereTheirCountEnds) {
  const std::vector<int> actors(100'000, 4);
  const std::vector<ScheduleLoop> loops = find_schedule_loops(steps_of(actors));
  EXPECT_EQ(expand(loops), actors);
  for (const ScheduleLoop& loop : loops) EXPECT_LE(loop.times, 65535);
  EXPECT_LE(loops.size(), 2u);
}

}  // namespace
}  // namespace tarn::stream
