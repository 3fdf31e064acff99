#include "stream/plan.h"

#include <gtest/gtest.h>

namespace tarn::stream {
namespace {

TEST(LinePlan, TablesCountLoopsAndPlaces) {
  LinePlan plan;
  plan.loops = {{{0, 1, 2}, 5}, {{3}, 1}};
  plan.memories.resize(2);
  plan.memories[0].table = {0, 8, 16};
  plan.arena = 65535;
  EXPECT_EQ(table_bytes(plan), 3 + 3 + 3 + 1 + 3 * 2);
  plan.arena = 65536;
  EXPECT_EQ(table_bytes(plan), 3 + 3 + 3 + 1 + 3 * 4);
}

TEST(LinePlan, CountersAreAsWideAsTheirLines) {
  EXPECT_EQ(counter_bytes(255, Mode::resident), 1);
  EXPECT_EQ(counter_bytes(256, Mode::resident), 2);
  EXPECT_EQ(counter_bytes(65535, Mode::fed), 2);
  EXPECT_EQ(counter_bytes(65536, Mode::fed), 4);
  EXPECT_EQ(counter_bytes(1, Mode::time), 4);
  EXPECT_EQ(driver_bytes(4, 255, Mode::fed), 12);
  EXPECT_EQ(driver_bytes(5, 255, Mode::fed), 16);
  EXPECT_EQ(driver_bytes(5, 256, Mode::fed), 20);
  EXPECT_EQ(driver_bytes(5, 1, Mode::time), 32);
  std::vector<Actor> actors(3);
  actors[1].lines = 300;
  EXPECT_EQ(most_lines(actors), 300);
  EXPECT_EQ(most_lines({}), 1);
}

TEST(LinePlan, AnInputIsHandedOverByEachOfItsFeeds) {
  LinePlan plan;
  plan.actors.resize(4);
  plan.actors[0].what = plan.actors[1].what = plan.actors[3].what = Actor::What::feed;
  plan.actors[1].port = 1;
  EXPECT_EQ(passes_of(plan, 0), 2);
  EXPECT_EQ(passes_of(plan, 1), 1);
  EXPECT_EQ(passes_of(plan, 2), 0);
}

TEST(LinePlan, Names) {
  EXPECT_EQ(to_string(Mode::off), "off");
  EXPECT_EQ(to_string(Mode::resident), "resident");
  EXPECT_EQ(to_string(Mode::fed), "fed");
  EXPECT_EQ(to_string(Mode::time), "time");
  EXPECT_EQ(to_string(Mode::automatic), "auto");
  EXPECT_EQ(to_string(Lines::ring), "ring");
  EXPECT_EQ(to_string(Lines::table), "table");
  EXPECT_EQ(to_string(Addressing::resident), "resident");
  EXPECT_EQ(to_string(Addressing::ring), "ring");
  EXPECT_EQ(to_string(Addressing::table), "table");
}

}  // namespace
}  // namespace tarn::stream
