// Networks at two heights, alike but for one thing at a time.
#include "stream/same_code.h"

#include <gtest/gtest.h>

#include <functional>

namespace tarn::stream {
namespace {

// Memories of the network.
enum { kRing, kRow, kPiece, kScratch, kSums, kMemories };

// An input of lines of eight bytes, which two layers and an output hand on.
Program program_of(int64_t height) {
  Program program;
  for (const char* name : {"x", "row", "piece"}) {
    program::Tensor t;
    t.name = name;
    t.type = {DType::int8, Shape{height, 8}};
    program.tensors.push_back(std::move(t));
  }
  program.inputs = {TensorId(0), TensorId(0)};
  program.outputs = {TensorId(2), TensorId(2)};
  program.operations.resize(2);
  program.operations[0].nodes = {"first"};
  program.operations[1].nodes = {"second"};
  return program;
}

Net net_of(int64_t height) {
  Net net;
  net.memories.resize(kMemories);
  for (Memory& memory : net.memories) memory.lines = height, memory.line_bytes = 8;
  net.memories[kRow].lines = 1;
  net.memories[kScratch].holds = Memory::Holds::scratch;
  net.memories[kSums].holds = Memory::Holds::accumulator;
  net.names = {"ring", "row", "piece", "scratch", "sums"};
  net.contiguous = {false, false, true, false, false};
  for (std::vector<bool>* of : {&net.outside, &net.given, &net.kept}) of->assign(kMemories, false);
  net.views = {{kRing, true, 0, 0, 8}, {kRow, true, 0, 0, 8}, {kPiece, true, 0, 0, 8}};
  net.nodes.resize(4);
  for (NetNode& node : net.nodes) node.actor.lines = node.lines = height;
  net.nodes[0].actor.what = Actor::What::feed;
  net.nodes[0].actor.tensor = TensorId(0);
  net.nodes[0].memory = kRing;
  net.nodes[1].actor.operations = {OperationId(0)};
  net.nodes[1].memory = kRow;
  net.nodes[2].actor.operations = {OperationId(1)};
  net.nodes[2].actor.gathered = height;
  net.nodes[2].actor.accumulator = kSums;
  net.nodes[2].actor.line_buffer = LineBuffer{};
  net.nodes[2].memory = kPiece;
  net.nodes[2].helpers = {kScratch};
  net.nodes[3].actor.what = Actor::What::drain;
  net.nodes[3].actor.tensor = TensorId(2);
  return net;
}

using Change = std::function<void(Net&)>;

std::string difference_of(const Net& small, const Net& large) {
  const Program program = program_of(2), largest = program_of(4);
  return difference(program, small, largest, large);
}

std::string with(const Change& at_small, const Change& at_large = nullptr) {
  Net small = net_of(2), large = net_of(4);
  at_small(small);
  if (at_large) at_large(large);
  return difference_of(small, large);
}

constexpr auto kNothing = [](Net&) {};

TEST(SameCode, NumbersOfLinesMayDiffer) { EXPECT_EQ(with(kNothing), ""); }

TEST(SameCode, NodesDoTheSameWork) {
  const Change changes[] = {
      [](Net& n) { n.nodes[2].actor.port = 1; },
      [](Net& n) { n.nodes[2].actor.tensor = TensorId(1); },
      [](Net& n) { n.nodes[2].actor.first_column = 1; },
      [](Net& n) { n.nodes[2].actor.pass = 1; },
      [](Net& n) {
        n.nodes[2].actor.operations = {OperationId(1), OperationId(0)};
      },
      [](Net& n) { n.nodes[2].actor.whole = true; },
      [](Net& n) { n.nodes[2].actor.flat = true; },
      [](Net& n) { n.nodes[2].actor.accumulate = true; },
      [](Net& n) { n.nodes[2].actor.gathered = 0; },
      [](Net& n) { n.nodes[2].actor.accumulator = kScratch; },
      [](Net& n) { n.nodes[2].actor.scratch = kScratch; },
      [](Net& n) { n.nodes[2].actor.line_buffer.reset(); },
      [](Net& n) { n.nodes[2].memory = kRing; },
      [](Net& n) { n.nodes[2].helpers = {}; },
      [](Net& n) { n.nodes[2].states = {kSums}; },
      [](Net& n) { n.nodes[2].also = {kRow}; },
      [](Net& n) { n.nodes[2].after = 0; },
  };
  for (size_t i = 0; i < std::size(changes); ++i) {
    EXPECT_EQ(with(changes[i]), "'second' is made in another way") << i;
    EXPECT_NE(with(kNothing, changes[i]), "") << i;
    EXPECT_EQ(with(changes[i], changes[i]), "") << i;
  }
  EXPECT_EQ(with([](Net& n) { n.nodes[2].actor.gathered = 1; }), "") << "sums over fewer lines";
  EXPECT_EQ(with([](Net& n) { n.nodes[2].actor.line_buffer->chunk = 7; }), "");
  EXPECT_EQ(with([](Net& n) { n.nodes[0].actor.what = Actor::What::drain; }), "'x' is made in another way");
  EXPECT_EQ(with([](Net& n) { n.nodes[1].actor.what = Actor::What::feed; }), "'first' is made in another way");
  EXPECT_EQ(with([](Net& n) { n.nodes[0].actor.tensor = {}; }), "'' is made in another way");
}

TEST(SameCode, ThereAreAsManyNodesAndMemories) {
  const Change node = [](Net& n) { n.nodes.push_back(n.nodes.back()); };
  const Change memory = [](Net& n) {
    n.memories.emplace_back();
    n.names.emplace_back("more");
    for (std::vector<bool>* of : {&n.contiguous, &n.outside, &n.given, &n.kept}) of->push_back(false);
  };
  for (const Change& change : {node, memory}) {
    EXPECT_EQ(with(change), "other layers run by lines");
    EXPECT_EQ(with(kNothing, change), "other layers run by lines");
    EXPECT_EQ(with(change, change), "");
  }
}

// Of an input and an output that are lines; what layers make is told by its memories.
TEST(SameCode, LinesOfPortsHaveOneLength) {
  EXPECT_EQ(with([](Net& n) { n.nodes[0].actor.lines = 1; }), "'x' comes or goes in lines of another length");
  EXPECT_EQ(with([](Net& n) { n.nodes[3].actor.lines = 1; }), "'piece' comes or goes in lines of another length");
  EXPECT_EQ(with([](Net& n) { n.nodes[1].actor.lines = 1; }), "");
  const Net small = net_of(2), large = net_of(4);
  Program program = program_of(2);
  program.tensors[1].type.shape = Shape{2, 6};  // no port's
  EXPECT_EQ(difference(program, small, program_of(4), large), "");
  program.tensors[2].type.shape = Shape{2, 6};
  EXPECT_EQ(difference(program, small, program_of(4), large), "'piece' comes or goes in lines of another length");
}

TEST(SameCode, MemoriesHaveLinesOfOneShape) {
  const auto shape = [](int m) {
    return "'" + net_of(1).names[static_cast<size_t>(m)] + "' has lines of another shape";
  };
  for (int m = 0; m < kMemories; ++m) {
    const auto at = static_cast<size_t>(m);
    for (std::vector<bool> Net::*of : {&Net::contiguous, &Net::outside, &Net::given, &Net::kept}) {
      const Change turn = [&](Net& n) { (n.*of)[at] = !(n.*of)[at]; };
      EXPECT_EQ(with(turn), shape(m));
      EXPECT_EQ(with(turn, turn), "");
    }
    const auto bytes = [&](int64_t lines, int64_t line_bytes) {
      return [=](Net& n) { n.memories[at].lines = lines, n.memories[at].line_bytes = line_bytes; };
    };
    const Change in_one = [&](Net& n) { bytes(5, 8)(n), n.contiguous[at] = true; };
    const Change of_longer = [&](Net& n) { bytes(4, 12)(n), n.contiguous[at] = true; };
    EXPECT_EQ(with(in_one, of_longer), m < kScratch ? "" : shape(m));
    const bool piece = m == kPiece, tensor = m < kScratch;
    EXPECT_EQ(with(bytes(5, 8), bytes(4, 8)), shape(m));
    EXPECT_EQ(with(bytes(4, 8), bytes(4, 8)), "");
    EXPECT_EQ(with(bytes(5, 8), bytes(4, 12)), piece ? "" : shape(m)) << "more lines, fewer bytes";
    EXPECT_EQ(with(bytes(2, 12), bytes(4, 8)), piece ? "" : shape(m)) << "longer ones, fewer bytes";
    EXPECT_EQ(with(bytes(2, 17), bytes(4, 8)), shape(m));
    EXPECT_EQ(with(bytes(2, 16), bytes(4, 8)), piece ? "" : shape(m));
    EXPECT_EQ(with(bytes(2, 7), bytes(4, 8)), tensor && !piece ? shape(m) : "") << "shorter lines of a tensor";
    EXPECT_EQ(with(bytes(1, 7), bytes(1, 8)), "") << "one line, and shorter";
    EXPECT_EQ(with(bytes(1, 8), bytes(1, 8)), "");
    EXPECT_EQ(with(bytes(1, 9), bytes(1, 8)), shape(m));
    EXPECT_EQ(with(bytes(1, 7), bytes(2, 8)), tensor && !piece ? shape(m) : "");
  }
}

TEST(SameCode, TensorsLieInTheSameLines) {
  const Change changes[] = {[](Net& n) { n.views[1].memory = kSums; }, [](Net& n) { n.views[1].memory = -1; },
                            [](Net& n) { n.views[1].by_lines = false; }, [](Net& n) { n.views[1].offset = 1; },
                            [](Net& n) { n.views[1].pixel_pitch = 1; }};
  for (size_t i = 0; i < std::size(changes); ++i) {
    EXPECT_EQ(with(changes[i]), "'row' lies in other lines") << i;
    EXPECT_EQ(with(kNothing, changes[i]), "'row' lies in other lines") << i;
    EXPECT_EQ(with(changes[i], changes[i]), "") << i;
  }
  EXPECT_EQ(with([](Net& n) { n.views[1].first_line = 1; }), "") << "it follows the length";
  EXPECT_EQ(with([](Net& n) { n.views[2].offset = 1; }), "'piece' lies in other lines")
      << "the piece's lines are alike";
  // In one piece whose lines have other lengths anything may lie anywhere, but for in another memory.
  for (const int m : {int{kRing}, int{kPiece}}) {
    const auto in_piece = [&](int64_t line_bytes, int64_t offset, int memory) {
      return [=](Net& n) {
        n.contiguous[static_cast<size_t>(m)] = true;
        n.memories[static_cast<size_t>(m)].line_bytes = line_bytes;
        n.views[1] = {memory, true, 0, offset, 8};
      };
    };
    EXPECT_EQ(with(in_piece(7, 3, m), in_piece(8, 0, m)), "");
    EXPECT_EQ(with(in_piece(8, 3, m), in_piece(8, 0, m)), "'row' lies in other lines");
    EXPECT_EQ(with(in_piece(7, 3, kRow), in_piece(8, 0, m)), "'row' lies in other lines");
    EXPECT_EQ(with(in_piece(7, 3, -1), in_piece(8, 0, m)), "'row' lies in other lines");
  }
  // A scratch memory has the room of the largest whatever lies in it.
  EXPECT_EQ(with(
                [](Net& n) {
                  n.memories[kScratch].line_bytes = 7, n.views[1] = {kScratch, true, 0, 1, 8};
                },
                [](Net& n) { n.views[1].memory = kScratch; }),
            "'row' lies in other lines");
}

TEST(SameCode, WhatIsNoTensorHasTheRoomOfTheLargest) {
  Net small = net_of(2), large = net_of(4);
  for (Memory& memory : large.memories) memory.line_bytes = 24;
  large.nodes[2].actor.line_buffer->window_columns = 9;
  take_room(small, large);
  for (size_t m = 0; m < kMemories; ++m) EXPECT_EQ(small.memories[m].line_bytes, m < kScratch ? 8 : 24) << m;
  EXPECT_EQ(small.nodes[2].actor.line_buffer->window_columns, 9);
  EXPECT_FALSE(small.nodes[1].actor.line_buffer);
}

TEST(SameCode, PlansAgreeOnAddressesAndOnReadingAhead) {
  std::vector<LinePlan> plans(3);
  for (size_t i = 0; i < plans.size(); ++i) {
    plans[i].actors.resize(4);
    plans[i].actors[i].overlapping = true;
    plans[i].memories.resize(2);
    for (Memory& memory : plans[i].memories) {
      memory.base = 100 * static_cast<int64_t>(i);
      memory.slots = 1 + static_cast<int64_t>(i);
      memory.table = {memory.base, 7};
      memory.line_bytes = 8;
    }
  }
  plans[0].memories[1].line_bytes = 4;  // in one piece
  for (Memory& memory : plans[2].memories) memory.addressing = Addressing::table;
  make_alike(plans);
  for (size_t i = 0; i < plans.size(); ++i) {
    for (size_t n = 0; n < 4; ++n) EXPECT_EQ(plans[i].actors[n].overlapping, n < 3) << i << " " << n;
    for (size_t m = 0; m < 2; ++m) {
      const Memory& memory = plans[i].memories[m];
      EXPECT_EQ(memory.addressing, Addressing::table);
      EXPECT_EQ(memory.base, 200);
      EXPECT_EQ(memory.table, (std::vector<int64_t>{200, 7}));
      EXPECT_EQ(memory.slots, i == 0 && m == 1 ? 1 : 3);
    }
  }
}

}  // namespace
}  // namespace tarn::stream
