// Distances of walks that no kernel may have yet, with elements of one or four bytes, pitches and blocks: beside every
// moment of every pixel, written down as note [overlap] says it.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lifetimes/overlap.h"
#include "planner/random.h"
#include "support/text.h"

namespace tarn::lifetimes {
namespace {

using program::Argument;
using program::Geometry;
using program::Operation;
using program::Span;
using program::Walk;

constexpr int64_t kNone = INT64_MAX;

class RandomWalk {
 public:
  explicit RandomWalk(uint64_t seed) : random_(seed) {
    Walk walk;
    walk.identity = below(3) == 0;
    walk.read_before_write = below(2) == 0;
    walk.block_pixels = below(3) == 0 ? 1 + below(4) : 1;
    const Geometry y{1 + below(4), 1 + below(5), 1 + below(4)};
    const Geometry x{walk.identity ? y.lines : 1 + below(5), walk.identity ? y.pixels : 1 + below(6),
                     below(2) == 0 ? y.channels : 1 + below(4)};
    set_windows(walk, x, y);
    add(x, Argument::Role::read);
    add(y, Argument::Role::write);
    operation.arguments[0].walk = walk;
  }

  // Another operand that is read through windows.
  void add_operand() {
    const Geometry x{1 + below(5), 1 + below(6), 1 + below(4)};
    Walk walk;
    walk.read_before_write = below(2) == 0;
    set_windows(walk, x, Geometry(y()));
    add(x, Argument::Role::read);
    operation.arguments.back().walk = walk;
  }

  Program program;
  Storage storage;
  Operation operation;

  const Geometry& x(size_t argument = 0) const { return program.tensors[argument].geometry; }
  const Geometry& y() const { return program.tensors[1].geometry; }
  const Walk& walk(size_t argument = 0) const { return *operation.arguments[argument].walk; }
  int64_t element(size_t tensor) const { return program.tensors[tensor].element_bytes(); }
  int64_t pixel(size_t tensor) const { return storage.places[tensor].pixel_pitch * element(tensor); }
  bool dense() const {
    return storage.places[0].pixel_pitch == x().channels && storage.places[1].pixel_pitch == y().channels;
  }

 private:
  int64_t below(int64_t n) { return random_.below(n); }
  void set_windows(Walk& walk, const Geometry& x, const Geometry& y) {
    for (int64_t r = 0; r < y.lines && !walk.identity; ++r) walk.lines.push_back(span(x.lines));
    for (int64_t p = 0; p < y.pixels && !walk.identity; ++p) walk.columns.push_back(span(x.pixels));
  }
  Span span(int64_t of) {
    if (below(6) == 0) return {0, 0};  // padding alone
    const int64_t first = below(of);
    return {first, first + 1 + below(of - first)};
  }
  void add(const Geometry& geometry, Argument::Role role) {
    const TensorId id(program.tensors.size());
    program::Tensor t;
    t.name = role == Argument::Role::read ? "x" : "y";
    t.geometry = geometry;
    t.type = {below(2) == 0 ? DType::int8 : DType::float32, Shape{geometry.lines, geometry.pixels, geometry.channels}};
    Place place;
    place.buffer = BufferId(storage.buffers.size());
    place.pixel_pitch = geometry.channels + (below(2) == 0 ? below(4) : 0);
    place.line_pitch = geometry.pixels * place.pixel_pitch;
    Buffer buffer;
    buffer.bytes = geometry.lines * place.line_pitch * t.element_bytes();
    buffer.tensors.push_back(id);
    program.tensors.push_back(std::move(t));
    storage.places.push_back(place);
    storage.buffers.push_back(std::move(buffer));
    Argument argument;
    argument.role = role;
    argument.tensor = id;
    operation.arguments.push_back(std::move(argument));
  }

  planner::Random random_;
};

std::string told(const RandomWalk& w, uint64_t seed) {
  std::string text = cat("seed ", seed, w.walk().identity ? ", identity" : "",
                         w.walk().read_before_write ? ", ahead" : "", ", block ", w.walk().block_pixels);
  for (size_t t = 0; t < 2; ++t) {
    const Geometry& g = w.program.tensors[t].geometry;
    text += cat(t == 0 ? "; x " : "; y ", g.lines, " lines of ", g.pixels, " pixels of ", g.channels, " channels of ",
                w.element(t), ", pitch ", w.storage.places[t].pixel_pitch);
  }
  for (const Span& s : w.walk().lines) text += cat("; lines ", s.first, " to ", s.end);
  for (const Span& s : w.walk().columns) text += cat("; columns ", s.first, " to ", s.end);
  return text;
}

// The least byte of an operand that pixels from (line, pixel) on need.
int64_t needed_from(const RandomWalk& w, int64_t line, int64_t pixel, size_t argument = 0) {
  const Walk& walk = w.walk(argument);
  int64_t least = kNone;
  for (int64_t r = line; r < w.y().lines; ++r) {
    for (int64_t p = r == line ? pixel : 0; p < w.y().pixels; ++p) {
      const Span lines = walk.identity ? Span{r, r + 1} : walk.lines[static_cast<size_t>(r)];
      const Span columns = walk.identity ? Span{p, p + 1} : walk.columns[static_cast<size_t>(p)];
      if (lines.first >= lines.end || columns.first >= columns.end) continue;
      least = std::min(least, (lines.first * w.x(argument).pixels + columns.first) * w.pixel(argument));
    }
  }
  return least;
}

int64_t made(const RandomWalk& w, int64_t line, int64_t pixel) {
  return (line * w.y().pixels + pixel) * w.pixel(1) + w.y().channels * w.element(1);
}

// Elements read and written one by one: each is there until it has been read.
std::optional<int64_t> distance_of_elements(const RandomWalk& w) {
  std::optional<int64_t> distance;
  const int64_t elements = w.y().lines * w.y().pixels * w.y().channels;
  const auto at = [&](size_t tensor, int64_t e) {
    return e / w.y().channels * w.pixel(tensor) + e % w.y().channels * w.element(tensor);
  };
  for (int64_t e = 0; e + 1 < elements; ++e) {
    const int64_t own = at(1, e) + w.element(1) - at(0, e + 1);
    distance = std::max(distance.value_or(own), own);
  }
  return distance;
}

std::optional<int64_t> distance_of_pixels(const RandomWalk& w, int64_t block, bool ahead) {
  std::optional<int64_t> distance;
  for (int64_t r = 0; r < w.y().lines; ++r) {
    for (int64_t p = 0; p < w.y().pixels; ++p) {
      const int64_t needed = needed_from(w, r, ahead ? p + 1 : p);
      if (needed == kNone) continue;
      const int64_t own = made(w, r, std::min(w.y().pixels, p + block) - 1) - needed;
      distance = std::max(distance.value_or(own), own);
    }
  }
  return distance;
}

TEST(RandomWalks, DistancesAreThoseOfTheWorstMoment) {
  int windows = 0, elements = 0, blocks = 0, nothing = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    const RandomWalk w(seed);
    const Walk& walk = w.walk();
    const bool one_by_one = walk.identity && walk.read_before_write && w.x().channels == w.y().channels;
    const bool other_sizes = w.element(0) != w.element(1);
    if (one_by_one && other_sizes && !w.dense()) continue;  // taken for what reads pixels as long as it writes them
    // The pixel of an identity may be read until it is written, if it has several elements or one of another size.
    const bool ahead = walk.read_before_write && (!walk.identity || (w.y().channels == 1 && !other_sizes));
    const auto expected = one_by_one ? distance_of_elements(w) : distance_of_pixels(w, 1, ahead);
    const auto reach = reach_of(w.program, w.storage, w.operation, 0);
    ASSERT_TRUE(reach);
    const int64_t size = (w.x().lines * w.x().pixels - 1) * w.pixel(0) + w.x().channels * w.element(0);
    ASSERT_EQ(reach->above, size) << told(w, seed);
    ASSERT_EQ(reach->below, expected.value_or(-size)) << told(w, seed);
    ASSERT_FALSE(reach->or_same_place);
    Operation apart = w.operation;
    apart.arguments[0].walk->apart = true;
    ASSERT_FALSE(reach_of(w.program, w.storage, apart, 0));
    windows += !walk.identity && expected;
    elements += one_by_one;
    nothing += !expected;
    if (walk.block_pixels == 1 || walk.identity) continue;
    const auto whole_blocks = reach_of(w.program, w.storage, w.operation, 0, true);
    ASSERT_TRUE(whole_blocks);
    ASSERT_EQ(whole_blocks->below, distance_of_pixels(w, walk.block_pixels, false).value_or(-size)) << told(w, seed);
    ASSERT_EQ(whole_blocks->or_same_place, walk.read_before_write && w.pixel(0) == w.pixel(1) &&
                                               w.x().channels * w.element(0) == w.y().channels * w.element(1));
    // A second operand that is read pixel by pixel does not make the blocks smaller.
    Operation two = w.operation;
    two.arguments.push_back(two.arguments[0]);
    two.arguments.back().walk->block_pixels = 1;
    ASSERT_EQ(reach_of(w.program, w.storage, two, 0, true)->below, whole_blocks->below);
    ++blocks;
  }
  EXPECT_GT(windows, 1000);
  EXPECT_GT(elements, 100);
  EXPECT_GT(blocks, 300);
  EXPECT_GT(nothing, 50);
}

// Bytes alive at the worst moment of a step that one operand dies in: what is there before, what is there behind, and
// what is made beside what is still needed.
TEST(RandomWalks, LiveBytesAreThoseOfTheWorstMoment) {
  int overlapping = 0;
  for (uint64_t seed = 5001; seed <= 7000; ++seed) {
    const RandomWalk w(seed);
    const auto reach = reach_of(w.program, w.storage, w.operation, 0);
    ASSERT_TRUE(reach);
    const int64_t x = w.storage.buffers[0].bytes, y = w.storage.buffers[1].bytes;
    const int64_t beside = x + reach->below;
    ASSERT_EQ(live_bytes(w.program, w.storage, w.operation, {0}), std::max({x, y, beside})) << told(w, seed);
    overlapping += beside > std::max(x, y) && beside < x + y;
  }
  EXPECT_GT(overlapping, 300);
}

// Two operands die: what is counted is alive at some moment, and no less than at those that are looked at, the ends of
// each line.
TEST(RandomWalks, LiveBytesOfTwoOperandsAreThoseOfAMoment) {
  int more_than_ends = 0;
  for (uint64_t seed = 9001; seed <= 9800; ++seed) {
    RandomWalk w(seed);
    if (w.walk().identity) continue;
    // The second operand is read in another order.
    w.add_operand();
    const auto alive_at = [&](int64_t r, int64_t p) {
      int64_t live = made(w, r, p);
      for (const size_t k : {size_t{0}, size_t{2}}) {
        const int64_t needed = needed_from(w, r, w.walk(k).read_before_write ? p + 1 : p, k);
        if (needed != kNone)
          live += (w.x(k).lines * w.x(k).pixels - 1) * w.pixel(k) + w.x(k).channels * w.element(k) - needed;
      }
      return live;
    };
    const int64_t before = w.storage.buffers[0].bytes + w.storage.buffers[2].bytes, behind = w.storage.buffers[1].bytes;
    int64_t worst = std::max(before, behind), some = worst;
    for (int64_t r = 0; r < w.y().lines; ++r) {
      for (int64_t p = 0; p < w.y().pixels; ++p) {
        worst = std::max(worst, alive_at(r, p));
        const bool looked_at = p < 2 || p + 2 >= w.y().pixels;
        if (looked_at) some = std::max(some, alive_at(r, p));
      }
    }
    const int64_t counted = live_bytes(w.program, w.storage, w.operation, {0, 2});
    ASSERT_LE(counted, worst) << told(w, seed);
    ASSERT_GE(counted, some) << told(w, seed);
    more_than_ends += some > std::max(before, behind);
  }
  EXPECT_GT(more_than_ends, 100);
}

// A line, or a pixel, is safe where each block that begins in it may be written before its first pixel's operands have
// been read for the last time; and all are where channels or pixels lie over their own.
TEST(RandomWalks, BlocksAreSafeWhereEachThatBeginsThereIs) {
  planner::Random random(4);
  int everywhere = 0, all = 0, some = 0, none = 0;
  for (uint64_t seed = 10001; seed <= 12500; ++seed) {
    RandomWalk w(seed);
    w.operation.arguments[0].walk->by_channel = !w.walk().identity && random.below(2) == 0;
    const Walk& walk = w.walk();
    const auto reach = reach_of(w.program, w.storage, w.operation, 0);
    ASSERT_TRUE(reach);
    const bool same_pixels = w.pixel(0) == w.pixel(1) && w.x().channels * w.element(0) == w.y().channels * w.element(1);
    const bool other_sizes = walk.identity && w.element(0) != w.element(1);
    if (other_sizes) continue;  // such pixels are read as long as they are written
    for (int t = 0; t < 6; ++t) {
      const bool in_pixels = random.below(2) == 0;
      const int64_t distance = t == 0 ? 0 : t == 1 ? w.pixel(1) : random.below(40) - reach->below - 30;
      const bool meet = (distance == 0 && walk.read_before_write && same_pixels) ||
                        (walk.by_channel && w.pixel(0) == w.pixel(1) && distance % w.pixel(1) == 0);
      const int64_t pixels = w.y().lines * w.y().pixels, units = in_pixels ? pixels : w.y().lines;
      std::vector<bool> safe(static_cast<size_t>(units), true);
      for (int64_t i = 0; i < pixels && !meet; ++i) {
        const int64_t r = i / w.y().pixels, p = i % w.y().pixels;
        const int64_t end = std::min(in_pixels ? pixels : (r + 1) * w.y().pixels, i + walk.block_pixels) - 1;
        const int64_t needed = needed_from(w, r, p);
        if (needed != kNone && made(w, end / w.y().pixels, end % w.y().pixels) + distance > needed)
          safe[static_cast<size_t>(in_pixels ? i : r)] = false;
      }
      BlockRange expected;
      for (int64_t first = 0; first < units; ++first) {
        int64_t end = first;
        while (end < units && safe[static_cast<size_t>(end)]) ++end;
        if (end - first > expected.end - expected.first) expected = {first, end};
      }
      const BlockRange found = block_range(w.program, w.storage, w.operation, 0, distance, in_pixels);
      ASSERT_EQ(found.first, expected.first) << told(w, seed) << ", distance " << distance;
      ASSERT_EQ(found.end, expected.end) << told(w, seed) << ", distance " << distance;
      ++(meet ? everywhere : expected.end == units ? all : expected.end == 0 ? none : some);
    }
  }
  EXPECT_GT(std::min({everywhere, all, some, none}), 500);
  // Of no pixels none are safe.
  RandomWalk w(1);
  w.program.tensors[1].geometry.pixels = 0;
  EXPECT_EQ(block_range(w.program, w.storage, w.operation, 0, 0, true).end, 0);
}

// One tensor becomes the other where both are dense and of as many bytes, of which there are some.
TEST(RandomWalks, TheSamePlaceIsForAsManyBytes) {
  int same = 0, apart = 0, empty = 0;
  for (uint64_t seed = 13001; seed <= 15000; ++seed) {
    RandomWalk w(seed);
    w.operation.arguments[0].walk = Walk{};
    ASSERT_FALSE(reach_of(w.program, w.storage, w.operation, 0));
    w.operation.arguments[0].walk->same_place = true;
    if (seed % 4 == 0) {
      for (program::Tensor& t : w.program.tensors) t.type.shape.dims[0] = t.geometry.lines = 0;
    }
    const int64_t bytes = w.program.tensors[0].bytes();
    const bool as_many = bytes == w.program.tensors[1].bytes() && bytes > 0;
    const auto reach = reach_of(w.program, w.storage, w.operation, 0);
    ASSERT_EQ(reach.has_value(), as_many && w.dense()) << told(w, seed);
    if (reach) {
      EXPECT_TRUE(reach->same_place && !reach->or_same_place && reach->below == 0 && reach->above == bytes);
    }
    ++(reach ? same : bytes > 0 ? apart : empty);
    w.operation.arguments.pop_back();
    ASSERT_FALSE(reach_of(w.program, w.storage, w.operation, 0)) << "nothing is made";
  }
  EXPECT_GT(std::min({same, apart, empty}), 50);
}

// Where tensors may not overlap, a result takes the very place of its operand or stands apart from it.
TEST(RandomWalks, InPlaceIsNothingButTheSamePlace) {
  planner::Random random(3);
  int same = 0, refused = 0;
  for (uint64_t seed = 8001; seed <= 8400; ++seed) {
    RandomWalk w(seed);
    if (random.below(3) == 0) w.storage.places[0].offset = random.below(3);
    ShareOptions share;
    share.in_place = random.below(4) > 0;
    share.overlap = false;
    Reach reach{0, random.below(5) - 3, w.storage.buffers[0].bytes};
    const int64_t x = w.storage.buffers[0].bytes, y = w.storage.buffers[1].bytes;
    const auto forbidden = forbidden_for(w.storage, w.operation, reach, share);
    const bool may = share.in_place && reach.below <= 0 && w.storage.places[0].offset == w.storage.places[1].offset;
    for (int64_t difference = -y - 2; difference <= x + 2; ++difference) {
      const bool allowed = std::none_of(forbidden.begin(), forbidden.end(), [&](const planner::Forbidden& f) {
        return f.lo < difference && difference < f.hi;
      });
      ASSERT_EQ(allowed, difference <= -y || difference >= x || (may && difference == 0)) << told(w, seed);
    }
    ++(may ? same : refused);
  }
  EXPECT_GT(same, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace tarn::lifetimes
