// Which lines are made as one line: each condition alone, and what of the memories it asks for.
#include "stream/network/join_lines.h"

#include <gtest/gtest.h>

#include <functional>

namespace tarn::stream {
namespace {

using program::Argument;
using program::Walk;

constexpr int64_t kLines = 12;

// One operation that reads tensor 0 line by line and makes tensor 1; each in a memory of its own.
struct Layer {
  Layer() : operation(program.operations.emplace_back()) {
    for (int i = 0; i < 3; ++i) {
      program::Tensor& t = program.tensors.emplace_back();
      t.geometry = {kLines, 1, 2};
      t.type = {DType::int8, Shape{1, kLines, 1, 2}};
      storage.buffers.push_back({.bytes = t.bytes(), .tensors = {TensorId(program.tensors.size() - 1)}});
      storage.places.push_back({.buffer = lifetimes::BufferId(storage.buffers.size() - 1), .pixel_pitch = 2});
      net.memories.push_back({.lines = kLines, .line_bytes = 2});
      net.views.push_back({.memory = i, .by_lines = true, .pixel_pitch = 2});
    }
    operation.arguments.push_back({.role = Argument::Role::read, .tensor = TensorId(size_t{0})});
    operation.arguments.push_back({.role = Argument::Role::write, .tensor = TensorId(size_t{1})});
    walk().identity = true;
    operation.line_form.emplace().joins = true;
    node.lines = kLines;
  }
  Layer(const Layer&) = delete;

  Walk& walk() {
    if (!operation.arguments[0].walk) operation.arguments[0].walk.emplace();
    return *operation.arguments[0].walk;
  }

  // The third tensor, as another operand.
  Argument& more(Argument::Role role) {
    operation.arguments.push_back({.role = role, .tensor = TensorId(size_t{2})});
    return operation.arguments.back();
  }

  // Element by element, of any lines.
  void make_flat() {
    walk().read_before_write = true;
    operation.line_form->params.fields.push_back({"outer", int64_t{1}});
    node.actor.flat = true;
  }

  void of_pixels(int64_t pixels) {
    for (program::Tensor& t : program.tensors) {
      t.geometry.pixels = pixels;
      t.type.shape = Shape{1, kLines, pixels, 2};
    }
    for (lifetimes::Buffer& b : storage.buffers) b.bytes = kLines * pixels * 2;
  }

  bool lines_join() const { return stream::lines_join(program, storage, operation); }

  // How many lines are joined; 1: none, and nothing has changed.
  int64_t join(int64_t most = 4) {
    const Net before = net;
    const bool joined = join_lines(program, storage, operation, most, net, node);
    EXPECT_EQ(joined, node.actor.joined);
    for (size_t m = 0; m < net.memories.size() && !joined; ++m)
      EXPECT_EQ(net.memories[m].unit, before.memories[m].unit);
    EXPECT_EQ(joined, node.actor.at_once > 1);
    return node.actor.at_once;
  }

  std::vector<int64_t> units() const {
    std::vector<int64_t> units;
    for (const Memory& memory : net.memories) units.push_back(memory.unit);
    return units;
  }

  Program program;
  program::Operation& operation;
  lifetimes::Storage storage;
  Net net;
  NetNode node;
};

using Change = std::function<void(Layer&)>;
using Units = std::vector<int64_t>;

int64_t joined(const Change& change, int64_t most = 4) {
  Layer layer;
  change(layer);
  return layer.join(most);
}

Units units(const Change& change, int64_t most = 4) {
  Layer layer;
  change(layer);
  layer.join(most);
  return layer.units();
}

void as_it_is(Layer&) {}
void with_windows(Layer& layer) { layer.walk().identity = false; }

TEST(JoinLines, WindowsAreReadWhereAnOperandIsWalkedOtherwise) {
  const auto reads = [](const Change& change) {
    Layer layer;
    change(layer);
    return reads_windows(layer.operation);
  };
  EXPECT_FALSE(reads(as_it_is));
  EXPECT_TRUE(reads(with_windows));
  EXPECT_FALSE(reads([](Layer& of) { of.operation.arguments[0].walk.reset(); }));
  EXPECT_FALSE(reads([](Layer& of) { of.more(Argument::Role::update).walk.emplace(); }));
  for (const bool same_place : {false, true}) {
    // Handed over as a whole, whatever lines its walk leaves out.
    EXPECT_EQ(reads([&](Layer& of) { of.more(Argument::Role::read).walk.emplace().same_place = same_place; }),
              !same_place);
  }
}

TEST(JoinLines, AreDenseAndOfAKernelThatTakesThem) {
  const auto join = [](const Change& change) {
    Layer layer;
    change(layer);
    return layer.lines_join();
  };
  EXPECT_TRUE(join(as_it_is));
  EXPECT_FALSE(join([](Layer& of) { of.operation.line_form.reset(); }));
  EXPECT_FALSE(join([](Layer& of) { of.operation.line_form->joins = false; }));
  for (const size_t apart : {0, 1, 2}) {
    const auto wide = [&](Layer& of) { of.storage.places[apart].pixel_pitch = 3; };
    EXPECT_EQ(join(wide), apart == 2);
    // What is read as a whole may lie as it likes.
    for (const bool walked : {false, true}) {
      for (const bool same_place : {false, true}) {
        EXPECT_EQ(join([&](Layer& of) {
                    wide(of);
                    Argument& third = of.more(Argument::Role::read);
                    if (walked) third.walk.emplace().same_place = same_place;
                  }),
                  apart == 2 && !(walked && !same_place));
      }
    }
  }
  // Elements: whatever the kernel says of lines, but not where its scratch is counted by pixels.
  for (const int64_t bytes : {0, 1}) {
    for (const bool joins : {false, true}) {
      EXPECT_EQ(join([&](Layer& of) {
                  of.make_flat();
                  of.operation.line_form->joins = joins;
                  of.operation.line_form->scratch_pixel_bytes = bytes;
                }),
                bytes == 0);
    }
  }
}

// The largest part of all lines that is not above what is asked for, unless it is less than half of that.
TEST(JoinLines, AllStepsAreOfAsMany) {
  for (int64_t lines = 1; lines <= 40; ++lines) {
    for (int64_t most = 1; most <= lines; ++most) {
      int64_t expected = 1;
      for (int64_t unit = 2; unit <= most; ++unit) {
        if (lines % unit == 0 && unit * 2 >= most) expected = unit;
      }
      EXPECT_EQ(joined([&](Layer& of) { of.node.lines = lines; }, most), expected) << lines << " " << most;
    }
  }
  EXPECT_EQ(joined([](Layer& of) { of.operation.line_form->joins = false; }), 1);
}

// Longer lines than pixels: where the kernel takes pixel by pixel, elements too.
TEST(JoinLines, OfSeveralPixelsAreThoseOfKernelsByPixels) {
  for (const bool flat : {false, true}) {
    for (const bool joins : {false, true}) {
      for (const int64_t pixels : {1, 2}) {
        EXPECT_EQ(joined([&](Layer& of) {
                    of.of_pixels(pixels);
                    of.operation.line_form->joins = joins;
                    if (flat) of.make_flat();
                  }),
                  joins || (flat && pixels == 1) ? 4 : 1);
      }
    }
  }
  for (const int64_t pixels : {1, 2}) {
    EXPECT_EQ(joined([&](Layer& of) {
                of.of_pixels(pixels);
                with_windows(of);
              }),
              pixels == 1 ? 4 : 1);
  }
}

// Lines stand side by side from a multiple of their number on; those that windows see may begin anywhere.
TEST(JoinLines, BeginWhereSoManyBegin) {
  for (const size_t tensor : {0, 1}) {
    for (const bool windows : {false, true}) {
      const auto with = [&](const Change& change) {
        return joined([&](Layer& of) {
          if (windows) with_windows(of);
          change(of);
        });
      };
      EXPECT_EQ(with([&](Layer& of) { of.net.views[tensor].by_lines = false; }), 1);
      EXPECT_EQ(with([&](Layer& of) { of.net.views[tensor].offset = 1; }), 1);
      for (int64_t first = 0; first < 9; ++first) {
        EXPECT_EQ(with([&](Layer& of) { of.net.views[tensor].first_line = first; }),
                  first % 4 == 0 || (windows && tensor == 0) ? 4 : 1);
      }
    }
    // Elements are counted from the beginning.
    EXPECT_EQ(joined([&](Layer& of) {
                of.make_flat();
                of.net.views[tensor].by_lines = false;
                of.net.views[tensor].first_line = 1;
              }),
              4);
    EXPECT_EQ(joined([&](Layer& of) {
                of.make_flat();
                of.net.views[tensor].offset = 1;
              }),
              1);
  }
  // What is read as a whole does not matter.
  const auto whole = [](Layer& of) {
    of.more(Argument::Role::read);
    of.net.views[2].by_lines = false;
    of.net.views[2].offset = of.net.views[2].first_line = 1;
  };
  EXPECT_EQ(joined(whole), 4);
  EXPECT_EQ(units(whole), (Units{4, 4, 0}));
}

TEST(JoinLines, MemoriesAreRingsOfMultiples) {
  EXPECT_EQ(units(as_it_is), (Units{4, 4, 0}));
  EXPECT_EQ(units(as_it_is, 3), (Units{3, 3, 0}));
  EXPECT_EQ(units(with_windows), (Units{1, 4, 0}));
  // Both an operand of windows and the result.
  EXPECT_EQ(units([](Layer& of) {
              with_windows(of);
              of.storage.places[0].buffer = lifetimes::BufferId(size_t{1});
            }),
            (Units{0, 4, 0}));
  // Two operands in one memory, of which one is seen by windows.
  for (const bool first : {false, true}) {
    EXPECT_EQ(units([&](Layer& of) {
                of.storage.places[2].buffer = lifetimes::BufferId(size_t{0});
                of.more(Argument::Role::read).walk.emplace().identity = !first;
                of.walk().identity = first;
              }),
              (Units{4, 4, 0}));
  }
}

// With what other steps have asked of a memory: only where its ring is a multiple of both.
TEST(JoinLines, MemoriesAreMultiplesOfWhatOthersJoin) {
  for (const bool windows : {false, true}) {
    for (const size_t memory : {0, 1}) {
      for (int64_t other = 0; other <= 16; ++other) {
        for (const int64_t unit : {2, 3, 4, 6}) {
          const auto change = [&](Layer& of) {
            if (windows) with_windows(of);
            of.net.memories[memory].unit = other;
          };
          Units expected = {windows ? 1 : unit, unit, 0};
          expected[memory] = std::max(expected[memory], other);
          const bool alone = expected[memory] == 1;
          const bool fits =
              alone || (expected[memory] % unit == 0 && expected[memory] % std::max<int64_t>(1, other) == 0);
          EXPECT_EQ(joined(change, unit), fits ? unit : 1) << other << " " << unit;
          if (fits) {
            EXPECT_EQ(units(change, unit), expected);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tarn::stream
