// Distances at which an output may reach into the memory of an operand: an executor that walks as the kernel declares,
// and knows of every byte whether it is still the operand's, finds no fault at the distance that overlap.cc computes,
// and finds one a byte nearer. The real kernels, run at that distance, give what they give in memory of their own.
#include "lifetimes/overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "property/lifetimes/kernel_runner.h"
#include "property/lifetimes/networks.h"
#include "support/text.h"

namespace tarn::tests {
namespace {

using graph::Attributes;
using graph::ValueId;
using lifetimes::Storage;
using program::Argument;
using program::Geometry;
using program::Operation;
using program::Program;
using program::Span;
using program::TensorId;
using program::Walk;
using Ints = std::vector<int64_t>;

// Kernel, strides, pads and dilations of a window over n axes; `inside`: no window lies in the padding alone.
Attributes window(Random& random, size_t n, bool dilated, bool kernel_shape, bool inside) {
  Attributes attributes;
  Ints kernel, strides, dilations, begin, end;
  for (size_t i = 0; i < n; ++i) {
    kernel.push_back(random.between(1, 4));
    strides.push_back(random.between(1, 3));
    dilations.push_back(dilated ? random.between(1, 2) : 1);
    begin.push_back(random.between(0, inside ? kernel.back() - 1 : 3));
    end.push_back(random.between(0, inside ? kernel.back() - 1 : 3));
  }
  begin.insert(begin.end(), end.begin(), end.end());
  if (kernel_shape) attributes["kernel_shape"] = kernel;
  attributes["strides"] = strides;
  attributes["dilations"] = dilations;
  attributes["pads"] = begin;
  return attributes;
}

Shape images(Random& random, size_t n, int64_t channels) {
  Shape x{random.between(1, 2), channels};
  for (size_t i = 0; i < n; ++i) x.dims.push_back(random.between(3, 9));
  return x;
}

ValueId convolution(Random& random, Network& net, bool transposed) {
  const auto n = static_cast<size_t>(random.between(1, 3));
  const int64_t groups = random.coin() ? 1 : random.between(1, 6), inputs = random.coin() ? 1 : random.between(1, 3),
                outputs = inputs == 1 && random.coin() ? 1 : random.between(1, 5);
  const ValueId x = net.input(images(random, n, groups * inputs));
  Attributes attributes = window(random, n, true, false, false);
  attributes["group"] = groups;
  Shape w = transposed ? Shape{groups * inputs, outputs} : Shape{groups * outputs, inputs};
  const bool pointwise = !transposed && random.between(0, 3) == 0;
  for (size_t i = 0; i < n; ++i) w.dims.push_back(pointwise ? 1 : random.between(1, 4));
  if (pointwise) attributes["strides"] = Ints(n, 1), attributes["pads"] = Ints(2 * n, 0);
  const ValueId y = net.add(transposed ? "ConvTranspose" : "Conv", 11,
                            {x, net.weights(w), net.weights(Shape{groups * outputs})}, attributes);
  if (!y || transposed || random.coin()) return y;
  return net.add("Add", 14, {y, net.input(net.shape(y))}, {});
}

ValueId pool(Random& random, Network& net) {
  const auto n = static_cast<size_t>(random.between(1, 3));
  const ValueId x = net.input(images(random, n, random.between(1, 5)));
  return net.add(random.coin() ? "MaxPool" : "AveragePool", 19, {x}, window(random, n, false, true, true));
}

ValueId resize(Random& random, Network& net) {
  const auto n = static_cast<size_t>(random.between(1, 3));
  const ValueId x = net.input(images(random, n, random.between(1, 5)));
  Ints sizes = net.shape(x).dims;
  const bool whole = random.coin();
  for (size_t i = 2; i < sizes.size(); ++i) sizes[i] = whole ? sizes[i] * random.between(1, 3) : random.between(1, 14);
  Attributes attributes;
  attributes["mode"] = std::string(random.one_of({"nearest", "linear", "cubic"}));
  attributes["antialias"] = int64_t{random.coin() && std::get<std::string>(attributes["mode"]) != "nearest"};
  attributes["coordinate_transformation_mode"] =
      std::string(random.one_of({"half_pixel", "asymmetric", "align_corners"}));
  return net.add("Resize", 19, {x, {}, {}, net.integers(sizes)}, attributes);
}

ValueId pad(Random& random, Network& net) {
  const ValueId x = net.input(images(random, 2, random.between(1, 4)));
  Ints pads;
  for (int i = 0; i < 8; ++i) pads.push_back(random.coin() ? 0 : random.between(-1, 2));
  Attributes attributes;
  attributes["mode"] = std::string(random.one_of({"constant", "edge", "reflect"}));
  return net.add("Pad", 13, {x, net.integers(pads)}, attributes);
}

ValueId elementwise(Random& random, Network& net) {
  const int64_t channels = random.between(1, 5);
  const ValueId x = net.input(images(random, 2, channels));
  return net.add("BatchNormalization", 15,
                 {x, net.weights(Shape{channels}), net.weights(Shape{channels}), net.weights(Shape{channels}),
                  net.integers(Ints(static_cast<size_t>(channels), 2))},
                 {});
}

// Bytes of a tensor from its first to its last, with its pitches.
int64_t span_of(const Program& program, const Storage& storage, TensorId id) {
  const Geometry& g = program[id].geometry;
  return ((g.lines - 1) * storage[id].line_pitch + (g.pixels - 1) * storage[id].pixel_pitch + g.channels) * 4;
}

int64_t pixel_at(const Storage& storage, TensorId id, int64_t line, int64_t pixel) {
  return (line * storage[id].line_pitch + pixel * storage[id].pixel_pitch) * 4;
}

// Walks as declared, with the output `distance` bytes below the operand. True: every byte was still there when needed.
bool walks_safely(const Program& program, const Storage& storage, const Operation& operation, size_t argument,
                  int64_t distance) {
  const Walk& walk = *operation.arguments[argument].walk;
  const TensorId x = operation.arguments[argument].tensor,
                 y = operation.arguments[static_cast<size_t>(lifetimes::first_output(operation))].tensor;
  const Geometry &gx = program[x].geometry, &gy = program[y].geometry;
  std::vector<bool> intact(static_cast<size_t>(span_of(program, storage, x)), true);
  auto write = [&](int64_t line, int64_t pixel, int64_t channel, int64_t channels) {
    const int64_t first = pixel_at(storage, y, line, pixel) + channel * 4 - distance;
    for (int64_t i = std::max<int64_t>(0, first);
         i < std::min<int64_t>(first + channels * 4, static_cast<int64_t>(intact.size())); ++i) {
      intact[static_cast<size_t>(i)] = false;
    }
  };
  auto element_intact = [&](int64_t line, int64_t pixel, int64_t channel) {
    const int64_t first = pixel_at(storage, x, line, pixel) + channel * 4;
    return intact[static_cast<size_t>(first)] && intact[static_cast<size_t>(first + 1)] &&
           intact[static_cast<size_t>(first + 2)] && intact[static_cast<size_t>(first + 3)];
  };
  auto pixel_intact = [&](int64_t line, int64_t pixel) {
    const int64_t first = pixel_at(storage, x, line, pixel);
    for (int64_t i = first; i < first + gx.channels * 4; ++i) {
      if (!intact[static_cast<size_t>(i)]) return false;
    }
    return true;
  };
  auto needed_intact = [&](int64_t line, int64_t pixel) {
    if (walk.identity) {
      const int64_t at = line * gy.pixels + pixel;
      return pixel_intact(at / gx.pixels, at % gx.pixels);
    }
    const Span lines = walk.lines[static_cast<size_t>(line)], columns = walk.columns[static_cast<size_t>(pixel)];
    for (int64_t l = lines.first; l < lines.end; ++l) {
      for (int64_t c = columns.first; c < columns.end; ++c) {
        if (!pixel_intact(l, c)) return false;
      }
    }
    return true;
  };
  const bool by_element = walk.identity && walk.read_before_write && gx.channels == gy.channels;
  for (int64_t line = 0; line < gy.lines; ++line) {
    for (int64_t pixel = 0; pixel < gy.pixels; ++pixel) {
      for (int64_t c = 0; by_element && c < gy.channels; ++c) {
        const int64_t at = line * gy.pixels + pixel;
        if (!element_intact(at / gx.pixels, at % gx.pixels, c)) return false;
        write(line, pixel, c, 1);
      }
      if (by_element) continue;
      if (walk.read_before_write && !needed_intact(line, pixel)) return false;
      write(line, pixel, 0, gy.channels);
      if (!walk.read_before_write && !needed_intact(line, pixel)) return false;
    }
  }
  return true;
}

// What the kernel makes with the output at `distance` bytes below operand `argument`; all other operands stand apart.
std::optional<std::vector<float>> result_at(const Program& program, const Storage& storage, const Operation& operation,
                                            size_t argument, std::optional<int64_t> distance, uint64_t seed) {
  const TensorId x = operation.arguments[argument].tensor,
                 y = operation.arguments[static_cast<size_t>(lifetimes::first_output(operation))].tensor;
  Places places;
  int64_t end = 0;
  const int64_t x_bytes = span_of(program, storage, x), y_bytes = span_of(program, storage, y);
  if (distance) {
    places[y] = std::max<int64_t>(0, -*distance);
    places[x] = places[y] + *distance;
    end = std::max(places[y] + y_bytes, places[x] + x_bytes);
  }
  for (const Argument& a : operation.arguments) {
    if (!a.tensor.valid() || places.contains(a.tensor)) continue;
    places[a.tensor] = end;
    end += span_of(program, storage, a.tensor);
  }
  std::vector<uint8_t> memory(static_cast<size_t>(end), 0);
  Random random(seed);
  for (const Argument& a : operation.arguments) {
    if (a.role != Argument::Role::read) continue;
    const Geometry& g = program[a.tensor].geometry;
    for (int64_t i = 0; i < g.count(); ++i) {
      const auto value = static_cast<float>(random.between(-1000, 1000)) / 500;
      std::memcpy(
          &memory[static_cast<size_t>(
              places[a.tensor] + pixel_at(storage, a.tensor, i / g.channels / g.pixels, i / g.channels % g.pixels) +
              i % g.channels * 4)],
          &value, 4);
    }
  }
  if (!run_kernel(program, storage, operation, places, memory)) return {};
  const Geometry& g = program[y].geometry;
  std::vector<float> result(static_cast<size_t>(g.count()));
  for (int64_t i = 0; i < g.count(); ++i) {
    std::memcpy(&result[static_cast<size_t>(i)],
                &memory[static_cast<size_t>(places[y] +
                                            pixel_at(storage, y, i / g.channels / g.pixels, i / g.channels % g.pixels) +
                                            i % g.channels * 4)],
                4);
  }
  return result;
}

// At the distance for blocks of pixels they are allowed everywhere.
void check_blocks(const Program& program, const Storage& storage, const Operation& operation, size_t argument,
                  const lifetimes::Reach& pixels) {
  const auto walker = std::find_if(operation.arguments.begin(), operation.arguments.end(),
                                   [](const Argument& a) { return a.walk && a.walk->block_pixels > 1; });
  if (walker == operation.arguments.end()) return;
  const auto blocks = lifetimes::reach_of(program, storage, operation, argument, true);
  ASSERT_TRUE(blocks);
  EXPECT_GE(blocks->below, pixels.below);
  const Geometry& g =
      program[operation.arguments[static_cast<size_t>(lifetimes::first_output(operation))].tensor].geometry;
  const bool in_pixels = walker->walk->identity;
  const int64_t all = in_pixels ? g.lines * g.pixels : g.lines;
  const auto safe_blocks = lifetimes::block_range(program, storage, operation, argument, -blocks->below, in_pixels);
  EXPECT_EQ(safe_blocks.end - safe_blocks.first, all) << operation.kernel << " at " << blocks->below;
  if (!blocks->or_same_place) return;
  const auto same = lifetimes::block_range(program, storage, operation, argument, 0, in_pixels);
  EXPECT_EQ(same.end - same.first, all) << operation.kernel;
}

// Where the output's channels lie over the operand's own, blocks are allowed at the least distance.
void check_channels(const Program& program, const Storage& storage, const Operation& operation, size_t argument,
                    const lifetimes::Reach& pixels) {
  const Argument& a = operation.arguments[argument];
  const TensorId y = operation.arguments[static_cast<size_t>(lifetimes::first_output(operation))].tensor;
  const int64_t pitch = storage[y].pixel_pitch;
  if (!a.walk->by_channel || storage[a.tensor].pixel_pitch != pitch || pixels.below % (pitch * 4) != 0) return;
  const auto safe_blocks = lifetimes::block_range(program, storage, operation, argument, -pixels.below, false);
  EXPECT_EQ(safe_blocks.end - safe_blocks.first, program[y].geometry.lines) << operation.kernel;
}

struct Count {
  int operands = 0, tight = 0, run = 0;
};

void check_operation(const Program& program, Storage storage, const Operation& operation, Random& random,
                     Count& count) {
  const int y = lifetimes::first_output(operation);
  if (y < 0) return;
  for (const Argument& a : operation.arguments) {
    // Parts of larger tensors: pixels further apart than their channels.
    if (!a.tensor.valid() || !a.pitched || !random.coin()) continue;
    lifetimes::Place& place = storage.places[a.tensor.pos()];
    place.pixel_pitch = program[a.tensor].geometry.channels + random.between(0, 4);
    place.line_pitch = place.pixel_pitch * program[a.tensor].geometry.pixels;
  }
  for (size_t i = 0; i < operation.arguments.size(); ++i) {
    const auto reach = lifetimes::reach_of(program, storage, operation, i);
    if (!reach || reach->same_place) continue;
    ++count.operands;
    EXPECT_TRUE(walks_safely(program, storage, operation, i, reach->below));
    EXPECT_TRUE(walks_safely(program, storage, operation, i, reach->below + random.between(1, 50)));
    EXPECT_TRUE(walks_safely(program, storage, operation, i, -reach->above));
    if (reach->below > -reach->above) {
      EXPECT_FALSE(walks_safely(program, storage, operation, i, reach->below - 1));
      ++count.tight;
    }
    const uint64_t seed = static_cast<uint64_t>(random.between(0, 1 << 30));
    const auto apart = result_at(program, storage, operation, i, {}, seed);
    if (!apart) continue;
    ++count.run;
    for (int64_t more : {int64_t{0}, int64_t{4}, int64_t{16}, int64_t{64}, 4 * random.between(0, 60)}) {
      const int64_t distance = (reach->below + 3 + 4096) / 4 * 4 - 4096 + more;  // whole elements
      const auto over = result_at(program, storage, operation, i, distance, seed);
      EXPECT_TRUE(over == apart) << operation.kernel << " at distance " << distance;
    }
    check_blocks(program, storage, operation, i, *reach);
    check_channels(program, storage, operation, i, *reach);
  }
}

template <class Make>
Count check(uint64_t seed, int runs, const Make& make) {
  Count count;
  for (int i = 0; i < runs && !testing::Test::HasFailure(); ++i) {
    Random random(seed + static_cast<uint64_t>(i));
    Network net(random);
    if (!make(random, net)) continue;
    const auto program = net.lowered();
    if (!program) continue;
    SCOPED_TRACE(cat("seed ", seed + static_cast<uint64_t>(i), "\n", program::dump(*program)));
    const Storage storage = lifetimes::assign_storage(*program, {}, false);
    for (program::OperationId id : program->main) check_operation(*program, storage, (*program)[id], random, count);
  }
  return count;
}

// Enough of the configurations made it to where they can fail.
void expect_enough(const Count& count, int operands, int run) {
  EXPECT_GE(count.operands, operands);
  EXPECT_GE(count.tight, operands / 2);
  EXPECT_GE(count.run, run);
}

TEST(OverlapDistance, Convolutions) {
  expect_enough(check(1000, 600, [](Random& random, Network& net) { return convolution(random, net, false); }), 200,
                200);
}

TEST(OverlapDistance, TransposedConvolutions) {
  expect_enough(check(2000, 300, [](Random& random, Network& net) { return convolution(random, net, true); }), 100,
                100);
}

TEST(OverlapDistance, Pools) { expect_enough(check(3000, 400, pool), 150, 150); }

TEST(OverlapDistance, Resizes) { expect_enough(check(4000, 400, resize), 200, 200); }

TEST(OverlapDistance, Pads) { expect_enough(check(5000, 400, pad), 100, 100); }

TEST(OverlapDistance, Elementwise) { expect_enough(check(6000, 200, elementwise), 100, 100); }

}  // namespace
}  // namespace tarn::tests
