// From packed lines to addresses: where each line lies, as a ring where it can be one, and what else a plan says of the
// cuts it is made of.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "planner/index.h"
#include "planner/random.h"
#include "stream/make_plan.h"

namespace tarn::stream {
namespace {

// Whether lines of these places, -1: none, lie as in a ring of so many slots that begins at the place of the first.
bool is_ring(const std::vector<int64_t>& places, int64_t slots, int64_t bytes, int64_t lines) {
  const int64_t count = std::ssize(places);
  if (places[0] < 0 || (slots < count && count < lines)) return false;
  for (int64_t l = 0; l < count; ++l) {
    if (places[Z(l)] >= 0 && places[Z(l)] != places[0] + l % slots * bytes) return false;
  }
  return true;
}

// Single lines of a memory, some of which are never made; each in the place of that `places` before it.
TEST(PlanOf, TablesAreRingsWhereTheyCanBe) {
  planner::Random random(71);
  int tables = 0, rings = 0, residents = 0, unplaced = 0;
  for (int round = 0; round < 20000; ++round) {
    JoinedLayers choice;
    Memory memory{.lines = 1 + random.below(7), .line_bytes = 1 + random.below(5)};
    const int64_t count = random.below(3) == 0 ? 1 + random.below(memory.lines) : memory.lines;
    std::vector<int64_t> places(Z(count), -1);
    const int64_t slots = 1 + random.below(count), base = random.below(4);
    for (int64_t l = 0; l < count; ++l) {
      if (random.below(5) == 0) continue;
      places[Z(l)] = base + l % slots * memory.line_bytes;
      if (random.below(12) == 0) places[Z(l)] += 1 - random.below(2) * 2;
      if (places[Z(l)] < 0) places[Z(l)] = 0;
      choice.best.packing.items.push_back({0, l, count});
      choice.best.plan.offsets.push_back(places[Z(l)]);
    }
    if (choice.best.packing.items.empty()) continue;
    choice.net.memories = {memory};
    choice.best.lives.lines.resize(1);
    choice.best.lives.slots = {count};
    const LinePlan plan = plan_of(choice, {}, {.alignment = 1});
    const Memory& made = plan.memories[0];
    int64_t fewest = 1;
    while (fewest <= count && !is_ring(places, fewest, memory.line_bytes, memory.lines)) ++fewest;
    for (int64_t l = 0; l < count; ++l) {
      if (places[Z(l)] >= 0) {
        EXPECT_EQ(made.address(l), places[Z(l)]) << round;
      }
    }
    unplaced += places[0] < 0;
    if (fewest > count) {
      EXPECT_EQ(made.addressing, Addressing::table) << round;
      EXPECT_EQ(made.table, places) << round;
      EXPECT_EQ(made.slots, count) << round;
      ++tables;
      continue;
    }
    EXPECT_EQ(made.addressing, fewest == memory.lines ? Addressing::resident : Addressing::ring) << round;
    EXPECT_EQ(made.slots, fewest) << round;
    EXPECT_EQ(made.base, places[0]) << round;
    EXPECT_TRUE(made.table.empty());
    ++(fewest == memory.lines ? residents : rings);
  }
  EXPECT_GT(std::min({tables, rings, residents, unplaced}), 1000);
}

// Rings of a memory's lines, longer ones than the lines are too. What has no place has no views.
TEST(PlanOf, RingsAndWhatHasNoPlace) {
  JoinedLayers choice;
  choice.net.memories.assign(4, {.lines = 5, .line_bytes = 4});
  choice.best.packing.items = {{.memory = 0}, {.memory = 1}, {.memory = 2}};
  choice.best.plan.offsets = {8, 20, 40};
  choice.best.lives.lines.resize(4);
  choice.best.lives.slots = {4, 5, 6, 0};
  for (const int m : {0, 3, 2}) choice.net.views.push_back({.memory = m});
  const LinePlan plan = plan_of(choice, {}, {.alignment = 4});
  for (size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(plan.memories[m].base, choice.best.plan.offsets[m]);
    EXPECT_EQ(plan.memories[m].slots, choice.best.lives.slots[m]);
    EXPECT_EQ(plan.memories[m].addressing, m == 0 ? Addressing::ring : Addressing::resident);
  }
  EXPECT_EQ(plan.views[0].memory, 0);
  EXPECT_EQ(plan.views[1].memory, -1);
  EXPECT_EQ(plan.views[2].memory, 2);
}

// What makes a line where one lies that it reads in the same step, both in the arena, is told so: but for kernels that
// take all at once, sums, and steps of several lines.
TEST(PlanOf, LinesMadeOverLinesRead) {
  planner::Random random(72);
  std::map<std::string, int> seen;
  for (int round = 0; round < 6000; ++round) {
    JoinedLayers choice;
    Net& net = choice.net;
    for (int m = 0; m < 3; ++m) {
      net.memories.push_back({.lines = 4, .line_bytes = 2});
      net.outside.push_back(random.below(8) == 0);
      choice.best.packing.items.push_back({.memory = m});
      choice.best.plan.offsets.push_back(random.below(20));
      choice.best.lives.slots.push_back(1 + random.below(4));
    }
    choice.best.lives.lines.resize(3);
    NetNode& node = net.nodes.emplace_back();
    const int made = static_cast<int>(random.below(3)) - (random.below(6) == 0 ? 1 : 0);
    node.memory = made;
    node.made = {random.below(2), 4};
    const int64_t kind = random.below(8);
    node.actor.whole = kind == 0;
    node.actor.accumulate = kind == 1;
    node.actor.at_once = kind == 2 ? 2 : 1;
    // Of joined layers the last one makes the lines.
    node.actor.operations.resize(static_cast<size_t>(random.below(3)));
    const size_t last = std::max<size_t>(1, node.actor.operations.size()) - 1;
    for (int64_t reads = 1 + random.below(2); reads > 0; --reads) {
      Access& access = node.reads.emplace_back();
      access.memory = static_cast<int>(random.below(3));
      access.operation = static_cast<size_t>(random.below(static_cast<int64_t>(last) + 1));
      for (int64_t r = 0; r < 2; ++r) access.lines.push_back({random.below(3), 1 + random.below(4)});
    }
    choice.best.cuts = {false, false};
    choice.best.steps = {{0, 0, 1}, {0, 1, 1}};
    const LinePlan plan = plan_of(choice, {}, {.alignment = 1});
    bool over = false;
    for (int64_t r = 0; r < 2 && made >= 0; ++r) {
      for (const Access& access : node.reads) {
        if (net.outside[Z(access.memory)] || net.outside[Z(made)] || access.operation < last) continue;
        const int64_t y = plan.memories[Z(made)].address(node.made.first + r);
        for (int64_t l = access.lines[Z(r)].first; l < access.lines[Z(r)].end; ++l)
          over = over || std::abs(plan.memories[Z(access.memory)].address(l) - y) < 2;
      }
    }
    const std::string what = kind == 0 ? "whole" : kind == 1 ? "sums" : kind == 2 ? "several" : over ? "over" : "apart";
    ++seen[over ? what : "apart"];
    EXPECT_EQ(plan.actors[0].overlapping, over && kind > 2) << round;
  }
  for (const auto& [what, times] : seen) EXPECT_GT(times, 100) << what;
  EXPECT_EQ(seen.size(), 5u);
}

// What the choice and the options say is in the plan.
TEST(PlanOf, ChoiceAndOptions) {
  JoinedLayers choice;
  choice.storage.places.resize(3);
  choice.net.driver = 7;
  choice.net.nodes.resize(2);
  choice.net.nodes[1].actor.lines = 5;
  choice.best.cuts = {false, false, false};
  Options options;
  options.mode = Mode::fed;
  options.drain = true;
  options.lines = Lines::table;
  const LinePlan plan = plan_of(choice, options, {});
  EXPECT_EQ(plan.storage.places.size(), 3u);
  EXPECT_EQ(plan.driver, 7);
  EXPECT_EQ(plan.actors.size(), 2u);
  EXPECT_EQ(plan.actors[1].lines, 5);
  EXPECT_EQ(plan.mode, Mode::fed);
  EXPECT_TRUE(plan.drain);
  EXPECT_EQ(plan.lines, Lines::table);
}

// The steps between two cuts are a segment, with the operations of its nodes; nodes without steps make none.
TEST(PlanOf, SegmentsAreWhatLiesBetweenCuts) {
  JoinedLayers choice;
  choice.net.nodes.resize(5);
  for (size_t n = 0; n < 5; ++n) choice.net.nodes[n].actor.operations = {OperationId(n)};
  choice.best.cuts = {true, false, true, true, false, true};
  choice.best.steps = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {3, 0, 1}, {4, 0, 1}};
  const LinePlan plan = plan_of(choice, {}, {.alignment = 4});
  ASSERT_EQ(plan.segments.size(), 2u);
  EXPECT_EQ(plan.segments[0].first_step, 0u);
  EXPECT_EQ(plan.segments[0].end_step, 3u);
  EXPECT_EQ(plan.segments[0].operations, (std::vector<OperationId>{OperationId(0), OperationId(1)}));
  EXPECT_EQ(plan.segments[1].first_step, 3u);
  EXPECT_EQ(plan.segments[1].end_step, 5u);
  EXPECT_EQ(plan.segments[1].operations, (std::vector<OperationId>{OperationId(3), OperationId(4)}));
  EXPECT_EQ(plan.loops.size(), 1u) << "words of five steps";
}

// A plan is optimal where fewer bytes than the alignment lie between it and its bound. What is alive at the bound's
// step is told apart: scratch and windows, but not what a tensor or a history holds.
TEST(PlanOf, ProofAndBound) {
  for (int64_t excess = 0; excess < 10; ++excess) {
    for (const Lines lines : {Lines::ring, Lines::table}) {
      for (const planner::Proof proof : {planner::Proof::optimal, planner::Proof::best_found}) {
        JoinedLayers choice;
        choice.best.plan.arena = 100 + excess;
        choice.best.plan.proof = proof;
        choice.best.plan.search_nodes = 7;
        choice.best.lives.bound = 100;
        choice.best.lives.bound_step = 2;
        for (const Memory::Holds holds :
             {Memory::Holds::scratch, Memory::Holds::window, Memory::Holds::tensor, Memory::Holds::history}) {
          choice.net.memories.push_back(
              {.holds = holds, .lines = 2, .line_bytes = 3 + std::ssize(choice.net.memories)});
          choice.best.lives.lines.push_back({{1, 1}, {2, 2}});
          choice.best.lives.slots.push_back(0);
        }
        Options options;
        options.lines = lines;
        const LinePlan plan = plan_of(choice, options, {.alignment = 8});
        EXPECT_EQ(plan.arena, 100 + excess);
        EXPECT_EQ(plan.bound, 100);
        EXPECT_EQ(plan.bound_scratch, 3 + 4);
        EXPECT_EQ(plan.search_nodes, 7u);
        EXPECT_EQ(plan.proof == planner::Proof::optimal, excess < 8);
        EXPECT_EQ(plan.smallest_of_rings, excess >= 8 && lines == Lines::ring && proof == planner::Proof::optimal);
      }
    }
  }
}

}  // namespace
}  // namespace tarn::stream
