// Lines of tensors that lie in others.
#include "stream/network/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tarn::stream {
namespace {

// A part of the channels of a whole is dense only where it has one pixel.
TEST(Grid, DenseIsWhatHasNoGapsBetweenPixels) {
  const auto is_dense_part = [](int64_t lines, int64_t pixels, int64_t pitch) {
    Program program;
    program.tensors.resize(1);
    program.tensors[0].geometry = {lines, pixels, 2};
    lifetimes::Storage storage;
    storage.places.resize(1);
    storage.places[0].pixel_pitch = pitch;
    return is_dense(program, storage, TensorId(size_t{0}));
  };
  EXPECT_TRUE(is_dense_part(3, 4, 2));
  EXPECT_FALSE(is_dense_part(3, 4, 5));
  EXPECT_FALSE(is_dense_part(2, 1, 5));
  EXPECT_FALSE(is_dense_part(1, 2, 5));
  EXPECT_TRUE(is_dense_part(1, 1, 5));
}

// Two layers: what the first makes is read by the second as tensors of other lines.
struct Recut {
  using BufferId = lifetimes::BufferId;

  Recut() = default;
  Recut(int64_t made_lines, int64_t read_lines) {
    const TensorId x = tensor(8, BufferId(size_t{0})), made = tensor(made_lines, BufferId(size_t{1})),
                   read = tensor(read_lines, BufferId(size_t{1})), y = tensor(8, BufferId(size_t{2}));
    layer(x, made);
    layer(read, y);
  }

  int64_t lines() const { return cut_into_lines(program, storage, program.main)[1]; }

  Program program;
  lifetimes::Storage storage;

  TensorId tensor(int64_t lines, BufferId buffer) {
    const TensorId id(program.tensors.size());
    program::Tensor& t = program.tensors.emplace_back();
    t.geometry = {lines, 16 / lines, 3};
    t.type = {DType::int8, Shape{1, lines, 16 / lines, 3}};
    storage.buffers.resize(std::max(storage.buffers.size(), buffer.pos() + 1));
    storage[buffer].bytes = t.bytes();
    storage[buffer].tensors.push_back(id);
    storage.places.push_back({buffer, 0, 3, t.geometry.pixels * 3});
    return id;
  }

  void layer(TensorId x, TensorId y) {
    program::Operation o;
    o.line_form.emplace();
    for (const auto& [role, id] :
         {std::pair(program::Argument::Role::read, x), std::pair(program::Argument::Role::write, y)}) {
      program::Argument& a = o.arguments.emplace_back();
      a.role = role;
      a.tensor = id;
    }
    program::Walk& walk = o.arguments[0].walk.emplace();
    walk.lines.assign(static_cast<size_t>(program[y].geometry.lines), {0, 1});
    walk.columns.assign(static_cast<size_t>(program[y].geometry.pixels), {0, 1});
    program.main.push_back(OperationId(program.operations.size()));
    program.operations.push_back(std::move(o));
  }
};

// A buffer takes the finest lines that are read of it, but none finer than those in which a layer makes it.
TEST(Grid, LinesAreNoFinerThanTheyAreMade) {
  EXPECT_EQ(Recut(4, 8).lines(), 4);
  EXPECT_EQ(Recut(8, 4).lines(), 8);
  EXPECT_EQ(Recut(4, 4).lines(), 4);
  EXPECT_EQ(Recut(1, 8).lines(), 8);  // made as a whole
  Recut sums(4, 8), whole(4, 8), of_one(4, 1);
  sums.program.operations[0].line_form->accumulate = true;
  EXPECT_EQ(sums.lines(), 8);
  whole.program.operations[0].line_form.reset();
  EXPECT_EQ(whole.lines(), 8);
  EXPECT_EQ(of_one.lines(), 4);
}

// Some pixels of one line are no lines, however many of them a buffer could hold.
TEST(Grid, PartsOfALineAreNoLines) {
  Recut recut(1, 8);
  recut.program.tensors[2].geometry = {1, 8, 3};
  recut.storage.places[2].line_pitch = 8 * 3;
  EXPECT_EQ(recut.lines(), 1);
}

// An operation that counts elements makes what it makes in any lines.
TEST(Grid, LinesMayBeFinerThanThoseOfElementwiseOperations) {
  Recut recut(4, 8);
  recut.program.tensors[0].geometry = recut.program.tensors[1].geometry;
  recut.storage.places[0] = {recut.storage.places[0].buffer, 0, 3, recut.storage.places[1].line_pitch};
  program::Operation& o = recut.program.operations[0];
  o.arguments[0].walk->identity = o.arguments[0].walk->read_before_write = true;
  EXPECT_EQ(recut.lines(), 4);
  o.line_form->params.fields.push_back({"outer", int64_t{1}});
  EXPECT_EQ(recut.lines(), 8);
}

// Nor does it ask for lines where what it makes has none.
TEST(Grid, ElementwiseOperationsAskForNoLines) {
  Recut recut(1, 8);
  program::Operation& o = recut.program.operations[1];
  const TensorId y = o.arguments[1].tensor;
  recut.program[y].geometry = {1, 16, 3};
  recut.storage.places[y.pos()].line_pitch = 16 * 3;
  EXPECT_EQ(recut.lines(), 8);
  o.arguments[0].walk->identity = o.arguments[0].walk->read_before_write = true;
  o.line_form->params.fields.push_back({"outer", int64_t{1}});
  EXPECT_EQ(recut.lines(), 1);
}

// What is made element by element of what has no lines yet takes those of the layer that reads it at last, however far
// behind; and so does what a layer makes by lines at first.
TEST(Grid, LinesGoThroughAnyNumberOfElementwiseOperations) {
  constexpr size_t kCount = 70;
  for (const bool backwards : {true, false}) {
    Recut net;
    std::vector<TensorId> tensors;
    for (size_t b = 0; b <= kCount; ++b) {
      const bool lined = b == (backwards ? kCount : 0);
      tensors.push_back(net.tensor(lined ? 8 : 1, Recut::BufferId(b)));
    }
    const TensorId other = net.tensor(8, Recut::BufferId(kCount + 1));
    if (!backwards) net.layer(other, tensors[0]);
    for (size_t b = 0; b < kCount; ++b) {
      net.layer(tensors[b], tensors[b + 1]);
      program::Operation& o = net.program.operations.back();
      o.arguments[0].walk->identity = o.arguments[0].walk->read_before_write = true;
      o.line_form->params.fields.push_back({"outer", int64_t{1}});
    }
    if (backwards) net.layer(tensors[kCount], other);
    const std::vector<int64_t> lines = cut_into_lines(net.program, net.storage, net.program.main);
    for (size_t b = 0; b <= kCount; ++b) EXPECT_EQ(lines[b], 8) << b;
  }
}

}  // namespace
}  // namespace tarn::stream
