// A line that is made over one that is read, beside every element and pixel in the order in which they are written.
#include "stream/check/overwrite.h"

#include <gtest/gtest.h>

#include "planner/random.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Geometry;

// One line of x, read by the first of one or two operations, and one of y, which the last one makes.
struct MetLines {
  Program program;
  LinePlan plan;
  Actor actor;
  Read read;

  const program::Tensor& x() const { return program.tensors[0]; }
  const program::Tensor& y() const { return program.tensors.back(); }
  int64_t pixel_pitch(size_t tensor) const {
    return plan.views[tensor].pixel_pitch * program.tensors[tensor].element_bytes();
  }
  int64_t at(size_t tensor) const { return plan.memories[tensor].base + plan.views[tensor].offset; }
  int64_t x_end() const { return plan.memories[0].base + plan.memories[0].line_bytes; }
  bool meet() const {
    const Memory &x = plan.memories.front(), &y = plan.memories.back();
    return y.base < x.base + x.line_bytes && x.base < y.base + y.line_bytes;
  }
  // What a pixel of a tensor needs of the one before it.
  Span columns(size_t operation, int64_t pixel) const {
    const program::Walk& walk = *program.operations[operation].arguments[0].walk;
    return walk.identity ? Span{pixel, pixel + 1} : walk.columns[static_cast<size_t>(pixel)];
  }
};

class RandomLines {
 public:
  explicit RandomLines(uint64_t seed) : random_(seed) {}

  MetLines make(bool identity, size_t operations, bool pointwise_end = false) {
    MetLines l;
    Geometry g{1, 1 + below(7), 1 + below(5)};
    add(l, g);
    for (size_t o = 0; o < operations; ++o) {
      program::Walk walk;
      const bool same = identity || (pointwise_end && o > 0);
      walk.identity = same;
      walk.read_before_write = below(2) == 0;
      Geometry next{1, same ? g.pixels : 1 + below(7), same && below(2) == 0 ? g.channels : 1 + below(5)};
      for (int64_t p = 0; p < next.pixels && !same; ++p) {
        const int64_t first = below(g.pixels);
        walk.columns.push_back(below(6) == 0 ? Span{0, 0} : Span{first, first + 1 + below(g.pixels - first)});
      }
      walk.lines = {{0, 1}};
      program::Operation operation;
      operation.arguments.resize(2);
      operation.arguments[0].role = Argument::Role::read;
      operation.arguments[0].tensor = TensorId(o);
      operation.arguments[0].walk = walk;
      operation.arguments[1].role = Argument::Role::write;
      operation.arguments[1].tensor = TensorId(o + 1);
      l.program.operations.push_back(operation);
      l.actor.operations.push_back(program::OperationId(o));
      add(l, next);
      g = next;
    }
    if (operations > 1) l.actor.line_buffer.emplace().mid = pointwise_end ? 0 : operations - 1;
    l.actor.overlapping = true;
    l.read.tensor = TensorId(0);
    l.read.lines = {0, 1};
    l.plan.memories[0].base = 40;
    l.plan.memories.back().base = 40 + below(2 * l.plan.memories[0].line_bytes) - l.plan.memories[0].line_bytes / 2;
    return l;
  }

 private:
  int64_t below(int64_t n) { return random_.below(n); }
  void add(MetLines& l, const Geometry& geometry) {
    program::Tensor t;
    t.name = l.program.tensors.empty() ? "x" : "y";
    t.geometry = geometry;
    t.type = {below(2) == 0 ? DType::int8 : DType::float32, Shape{1, 1, geometry.pixels, geometry.channels}};
    LineView view;
    view.memory = static_cast<int>(l.plan.memories.size());
    view.by_lines = true;
    view.pixel_pitch = geometry.channels + (below(2) == 0 ? below(3) : 0);
    view.offset = (below(2) == 0 ? below(2) : 0) * t.element_bytes();
    Memory memory;
    memory.lines = memory.slots = 1;
    memory.line_bytes = view.offset + geometry.pixels * view.pixel_pitch * t.element_bytes();
    memory.line_bytes += below(2) * below(12);  // of other tensors behind it
    l.program.tensors.push_back(t);
    l.plan.views.push_back(view);
    l.plan.memories.push_back(memory);
  }

  planner::Random random_;
};

// Is a byte of x written that the following elements are read from?
bool elements_collide(const MetLines& l) {
  const int64_t channels = l.y().geometry.channels, count = l.y().geometry.pixels * channels;
  const auto at = [&](size_t tensor, int64_t e) {
    return l.at(tensor) + e / channels * l.pixel_pitch(tensor) +
           e % channels * l.program.tensors[tensor].element_bytes();
  };
  for (int64_t e = 0; e < count; ++e) {
    for (int64_t next = e + 1; next < count; ++next) {
      if (at(1, e) < l.x_end() && at(1, e) + l.y().element_bytes() > at(0, next)) return true;
    }
  }
  return false;
}

// Is a pixel written over what pixels from `ahead` behind it on need?
bool pixels_collide(const MetLines& l, int64_t ahead) {
  const size_t operations = l.program.operations.size(), y = operations;
  for (int64_t p = 0; p < l.y().geometry.pixels; ++p) {
    const int64_t to = l.at(y) + p * l.pixel_pitch(y), end = to + l.y().geometry.channels * l.y().element_bytes();
    for (int64_t later = p + ahead; later < l.y().geometry.pixels; ++later) {
      const Span middle = operations > 1 ? l.columns(1, later) : Span{later, later + 1};
      for (int64_t m = middle.first; m < middle.end; ++m) {
        const Span own = l.columns(0, m);
        for (int64_t c = own.first; c < own.end; ++c) {
          if (to < l.x_end() && end > l.at(0) + c * l.pixel_pitch(0)) return true;
        }
      }
    }
  }
  return false;
}

TEST(Overwrite, IsFoundWhereSomethingIsWrittenThatIsStillRead) {
  int told[4] = {0, 0, 0, 0}, fine[4] = {0, 0, 0, 0};
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    // Elements, windows, chunks of a window of two operations, and of a window that another operation follows.
    const int kind = static_cast<int>(seed % 4);
    MetLines l = RandomLines(seed).make(kind == 0, kind >= 2 ? 2 : 1, kind == 3);
    if (!l.meet()) {
      l.actor.overlapping = false;
      ASSERT_FALSE(overwritten(l.program, l.plan, l.actor, l.read, 0, 0)) << seed;
      continue;
    }
    const program::Walk& walk = *l.program.operations[0].arguments[0].walk;
    const bool one_size = l.x().element_bytes() == l.y().element_bytes();
    const bool one_by_one = kind == 0 && walk.read_before_write && l.x().geometry.channels == l.y().geometry.channels;
    const bool ahead = kind < 2 && walk.read_before_write && one_size && (kind == 1 || l.y().geometry.channels == 1);
    const bool expected = one_by_one ? elements_collide(l) : pixels_collide(l, ahead ? 1 : 0);
    ASSERT_EQ(overwritten(l.program, l.plan, l.actor, l.read, 0, 0).has_value(), expected) << seed;
    ++(expected ? told : fine)[kind];
  }
  for (int kind = 0; kind < 4; ++kind) {
    EXPECT_GT(told[kind], 1000) << kind;
    EXPECT_GT(fine[kind], 300) << kind;
  }
}

// Elements of dense lines, which need not be those of the tensors.
TEST(Overwrite, FlatOperationsGoByElementsOfLines) {
  planner::Random random(3);
  int told = 0, fine = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    MetLines l = RandomLines(seed).make(true, 1);
    l.actor.flat = true;
    const int64_t xe = l.x().element_bytes(), ye = l.y().element_bytes(), elements = 1 + random.below(9);
    l.plan.memories[0].line_bytes = elements * xe;
    l.plan.memories[1].line_bytes = elements * ye;
    l.plan.memories[1].base = 40 + random.below(20) - 6;
    bool expected = false;
    for (int64_t e = 0; e < elements; ++e) {
      const int64_t to = l.plan.memories[1].base + e * ye;
      for (int64_t next = e + 1; next < elements; ++next)
        expected = expected || (to < l.x_end() && to + ye > 40 + next * xe);
    }
    EXPECT_EQ(overwritten(l.program, l.plan, l.actor, l.read, 0, 0).has_value(), l.meet() && expected) << seed;
    ++(expected ? told : fine);
  }
  EXPECT_GT(told, 1000);
  EXPECT_GT(fine, 300);
}

// Tensors without elements, in lines that have bytes of others.
TEST(Overwrite, NothingIsWrittenOfNoElements) {
  int meetings = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    MetLines l = RandomLines(seed).make(true, 1);
    for (program::Tensor& t : l.program.tensors) (seed % 2 == 0 ? t.geometry.channels : t.geometry.pixels) = 0;
    l.program.operations[0].arguments[0].walk->read_before_write = true;
    EXPECT_FALSE(overwritten(l.program, l.plan, l.actor, l.read, 0, 0)) << seed;
    meetings += l.meet();
  }
  EXPECT_GT(meetings, 200);
}

// Nothing is known of the order in which such reads are done.
TEST(Overwrite, WhatIsReadAsAWholeIsNotWrittenOver) {
  int meetings = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    const int kind = static_cast<int>(seed % 3);
    for (const bool walks : {false, true}) {
      MetLines l = RandomLines(seed).make(kind == 0, kind == 2 ? 2 : 1);
      if (!walks) l.program.operations[0].arguments[0].walk.reset();
      l.read.together = walks;
      const auto told = overwritten(l.program, l.plan, l.actor, l.read, 0, 0);
      EXPECT_EQ(told.value_or(""), l.meet() ? "'y' stands over 'x', which is read as a whole" : "") << seed;
      meetings += l.meet();
    }
  }
  EXPECT_GT(meetings, 200);
}

// Tensors whose pixels stand beside each other in one line; another line of that memory in the same slot is no such
// one.
TEST(Overwrite, PixelsBesideEachOtherInOneLineAreApart) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const int kind = static_cast<int>(seed % 3);
    MetLines l = RandomLines(seed).make(kind == 0, kind == 2 ? 2 : 1);
    l.plan.views.back().memory = 0;
    l.actor.overlapping = false;
    EXPECT_FALSE(overwritten(l.program, l.plan, l.actor, l.read, 0, 0)) << seed;
    if (kind < 2) {
      EXPECT_TRUE(overwritten(l.program, l.plan, l.actor, l.read, 0, 1)) << seed;
    }
  }
}

}  // namespace
}  // namespace tarn::stream
