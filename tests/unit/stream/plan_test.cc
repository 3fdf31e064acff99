#include "stream/plan.h"

#include <gtest/gtest.h>

#include <array>

#include "planner/random.h"
#include "stream/make_plan.h"

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

// A port hands over lines as they are made: its own, or others that are just the bytes of a memory from its first line
// on.
TEST(LinePlan, PortsHandOverLinesThatAreTheirOwn) {
  for (const int64_t lines : {int64_t{1}, int64_t{4}, int64_t{8}}) {
    for (int bits = 0; bits < 16; ++bits) {
      const bool works = (bits & 1) != 0, by_lines = (bits & 2) != 0;
      const int64_t offset = (bits & 4) != 0 ? 3 : 0, first_line = (bits & 8) != 0 ? 2 : 0;
      Program program;
      program.tensors.resize(1);
      program.tensors[0].name = "port";
      program.tensors[0].geometry = {4, 2, 3};
      LinePlan plan;
      plan.views.resize(1);
      plan.views[0].by_lines = by_lines;
      plan.views[0].offset = offset;
      plan.views[0].first_line = first_line;
      plan.actors.resize(1);
      plan.actors[0].what = Actor::What::drain;
      plan.actors[0].tensor = TensorId(0);
      plan.actors[0].lines = lines;
      if (works) plan.actors[0].operations = {OperationId(0)};
      const bool as_they_are = lines == 4 ? by_lines : offset == 0 && first_line == 0;
      EXPECT_EQ(not_emitted(program, plan).empty(), works || lines == 1 || as_they_are) << lines << " " << bits;
    }
  }
}

// Against each line looked at alone; memories of each addressing, near and over one another.
TEST(LinePlan, LinesThatShareBytesWithALine) {
  planner::Random random(5);
  int64_t found = 0, none = 0, several = 0;
  const auto any_memory = [&] {
    Memory memory{.lines = 1 + random.below(12), .line_bytes = 1 + random.below(9)};
    memory.addressing = std::array{Addressing::resident, Addressing::ring, Addressing::table}.at(random.below(3));
    memory.base = random.below(40);
    memory.slots = memory.addressing == Addressing::resident ? memory.lines : 1 + random.below(memory.lines);
    for (int64_t l = 0; memory.addressing == Addressing::table && l < memory.slots; ++l)
      memory.table.push_back(random.below(60));
    return memory;
  };
  for (int round = 0; round < 20000; ++round) {
    const Memory memory = any_memory(), other = any_memory();
    const int64_t line = random.below(other.lines), first = random.below(memory.lines);
    const Span lines{first, first + random.below(memory.lines - first + 1)};
    std::vector<int64_t> expected;
    for (int64_t l = lines.first; l < lines.end; ++l) {
      const int64_t a = memory.address(l), b = other.address(line);
      if (a < b + other.line_bytes && b < a + memory.line_bytes) expected.push_back(l);
    }
    ASSERT_EQ(lines_over(memory, lines, other, line), expected) << "round " << round;
    (expected.empty() ? none : expected.size() > 1 ? several : found)++;
  }
  EXPECT_GT(none, 1000);
  EXPECT_GT(found, 1000);
  EXPECT_GT(several, 1000);
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

// Kernels that read pixels where they lie are told when they write over them.
TEST(LinePlan, LayersOfAChainThatWriteOverWhatTheyRead) {
  Actor actor;
  actor.operations.resize(4);
  actor.line_buffer = LineBuffer{.mid = 1, .made = {-1, 0, 0, -1}};
  const auto over = [&] {
    std::vector<bool> all;
    for (size_t position = 0; position < 4; ++position) all.push_back(writes_over_reads(actor, position));
    return all;
  };
  EXPECT_EQ(over(), (std::vector<bool>{false, false, true, false}));  // the third takes the second one's place
  actor.overlapping = true;
  EXPECT_EQ(over(), (std::vector<bool>{false, false, true, true}));
  actor.line_buffer->made[2] = 64;
  EXPECT_EQ(over(), (std::vector<bool>{false, false, false, true}));
  actor.line_buffer->mid = 2;
  EXPECT_EQ(over(), (std::vector<bool>{false, true, false, true}));  // before the window runs stay where they are
  actor.line_buffer = LineBuffer{.mid = 0, .made = {0, 0, 64, -1}};
  EXPECT_EQ(over(), (std::vector<bool>{false, true, false, true}));  // a window with nothing before it reads tensors
}

}  // namespace
}  // namespace tarn::stream
