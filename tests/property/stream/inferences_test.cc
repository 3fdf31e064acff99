// Each inference of running by lines, forced alone, beside every byte, line or set of cuts there is. Each test counts
// how often its inference said something, and fails when it was not reached.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "planner/conflicts.h"
#include "planner/random.h"
#include "stream/check/overwrite.h"
#include "stream/network/overlap_distance.h"
#include "stream/schedule/lives.h"
#include "stream/schedule/packing.h"
#include "stream/schedule/pull.h"
#include "stream/schedule/segment_cuts.h"
#include "unit/stream/chain_net.h"

namespace tarn::stream {
namespace {

using testing::chain_of;

size_t Z(int64_t i) { return static_cast<size_t>(i); }

// One operation that makes a line of another: its walk, and the bytes that it reads and writes in turn.
struct OneLine {
  program::Program program;
  LineView read, made;

  struct Touch {
    bool written;
    int64_t first, end;  // bytes of the line read, or of the line made
  };

  const program::Tensor& x() const { return program.tensors[0]; }
  const program::Tensor& y() const { return program.tensors[1]; }
  const program::Walk& walk() const { return *program.operations[0].arguments[0].walk; }

  std::optional<int64_t> distance(bool flat = false, int64_t elements = 0) const {
    return overlap_distance_of(program, program.operations[0], 0, TensorId(size_t{1}), read, made, flat, elements);
  }

  Touch element(bool written, int64_t pixel, int64_t channel) const {
    const int64_t bytes = (written ? y() : x()).element_bytes();
    const LineView& view = written ? made : read;
    const int64_t first = view.offset + (pixel * view.pixel_pitch + channel) * bytes;
    return {written, first, first + bytes};
  }

  std::vector<Touch> touches() const {
    std::vector<Touch> all;
    const auto every = [&](bool written, int64_t pixel) {
      for (int64_t c = 0; c < (written ? y() : x()).geometry.channels; ++c) all.push_back(element(written, pixel, c));
    };
    const auto inputs = [&](int64_t p) {
      const Span span = walk().identity ? Span{p, p + 1} : walk().columns[Z(p)];
      for (int64_t column = span.first; column < span.end; ++column) every(false, column);
    };
    for (int64_t p = 0; p < y().geometry.pixels; ++p) {
      if (walk().read_before_write && walk().identity) {
        for (int64_t c = 0; c < y().geometry.channels; ++c) {
          all.push_back(element(false, p, c));
          all.push_back(element(true, p, c));
        }
      } else if (walk().read_before_write) {
        inputs(p);
        every(true, p);
      } else {
        inputs(p);
        every(true, p);
        inputs(p);  // until the last channel is written
      }
    }
    return all;
  }
};

// Whether a byte is written before it is read, where the line made begins `distance` bytes below the line read.
bool destroys(const std::vector<OneLine::Touch>& touches, int64_t distance) {
  std::set<int64_t> written;
  for (const OneLine::Touch& t : touches) {
    for (int64_t byte = t.first; byte < t.end; ++byte) {
      if (t.written) written.insert(byte - distance);
      else if (written.contains(byte)) return true;
    }
  }
  return false;
}

OneLine random_line(planner::Random& random, int kind) {
  OneLine one;
  const bool elementwise = kind == 0, ahead = kind == 1;
  const auto add = [&](int64_t pixels, int64_t channels, DType type) {
    program::Tensor t;
    t.geometry = {1, pixels, channels};
    t.type = {type, Shape{1, 1, pixels, channels}};
    one.program.tensors.push_back(t);
  };
  const auto type = [&] { return random.below(2) == 0 ? DType::int8 : DType::int16; };
  const int64_t pixels = 1 + random.below(6), channels = 1 + random.below(3);
  add(elementwise ? pixels : 1 + random.below(7), channels, type());
  add(pixels, elementwise ? channels : ahead ? 1 : 1 + random.below(4), ahead ? one.x().type.dtype : type());
  program::Walk walk;
  walk.identity = elementwise || (kind == 2 && one.x().geometry.pixels == pixels && random.below(2) == 0);
  walk.read_before_write = elementwise || ahead;
  for (int64_t p = 0; p < pixels && !walk.identity; ++p) {
    const int64_t a = random.below(one.x().geometry.pixels + 1), b = random.below(one.x().geometry.pixels + 1);
    walk.columns.push_back({std::min(a, b), std::max(a, b)});
  }
  if (random.below(2) == 0) {
    std::sort(walk.columns.begin(), walk.columns.end(), [](const Span& p, const Span& q) { return p.first < q.first; });
  }
  program::Operation operation;
  operation.arguments.resize(2);
  operation.arguments[0].role = program::Argument::Role::read;
  operation.arguments[0].tensor = TensorId(size_t{0});
  operation.arguments[0].walk = walk;
  operation.arguments[1].role = program::Argument::Role::write;
  operation.arguments[1].tensor = TensorId(size_t{1});
  one.program.operations.push_back(operation);
  one.read.pixel_pitch = one.x().geometry.channels + random.below(2);
  one.made.pixel_pitch = one.y().geometry.channels + random.below(3);
  one.read.offset = random.below(4);
  one.made.offset = random.below(4);
  return one;
}

// The least distance at which no byte is written that is still to be read.
TEST(Inference, OverlapDistances) {
  planner::Random random(21);
  int zero = 0, more = 0, tight = 0;
  for (int t = 0; t < 3000; ++t) {
    const OneLine one = random_line(random, t % 3);
    const auto distance = one.distance();
    ASSERT_TRUE(distance) << t;
    const std::vector<OneLine::Touch> touches = one.touches();
    for (int64_t further = 0; further < 12; ++further) ASSERT_FALSE(destroys(touches, *distance + further)) << t;
    // Elementwise, a made line that begins further into its memory may be given more than it needs.
    if (*distance > 0 && (t % 3 != 0 || one.made.offset <= one.read.offset)) {
      ASSERT_TRUE(destroys(touches, *distance - 1)) << t << " distance " << *distance;
      ++tight;
    }
    (*distance > 0 ? more : zero)++;
  }
  EXPECT_GT(zero, 300);
  EXPECT_GT(more, 1000);
  EXPECT_GT(tight, 1000);
}

// Lines of so many elements one after the other, whatever the tensors' pixels are.
TEST(Inference, OverlapDistancesOfFlatLines) {
  planner::Random random(22);
  int more = 0;
  for (int t = 0; t < 300; ++t) {
    OneLine one = random_line(random, 0);
    const int64_t elements = 1 + random.below(9);
    const auto distance = one.distance(true, elements);
    ASSERT_TRUE(distance);
    for (program::Tensor& tensor : one.program.tensors) tensor.geometry = {1, 1, elements};
    one.read.offset = one.made.offset = 0;
    const std::vector<OneLine::Touch> touches = one.touches();
    ASSERT_FALSE(destroys(touches, *distance)) << t;
    if (*distance > 0) {
      ASSERT_TRUE(destroys(touches, *distance - 1)) << t;
    }
    more += *distance > 0;
  }
  EXPECT_GT(more, 30);
}

TEST(Inference, NoOverlapDistanceWithoutAWalk) {
  planner::Random random(23);
  OneLine one = random_line(random, 0);
  ASSERT_TRUE(one.distance());
  OneLine wider = one;
  wider.program.tensors[0].geometry.pixels += 1;
  EXPECT_FALSE(wider.distance());
  OneLine only_the_place = one;
  only_the_place.program.operations[0].arguments[0].walk->identity = false;
  only_the_place.program.operations[0].arguments[0].walk->same_place = true;
  EXPECT_FALSE(only_the_place.distance());
  one.program.operations[0].arguments[0].walk.reset();
  EXPECT_FALSE(one.distance());
}

// The checker's view: a line made over a line read is wrong as soon as a byte is written that is still to be read, and
// right where no byte is. `x_at`, `y_at`: where the two lines begin.
bool found_overwritten(const OneLine& one, int64_t x_at, int64_t y_at) {
  LinePlan plan;
  for (const bool made : {false, true}) {
    const LineView& view = made ? one.made : one.read;
    const program::Tensor& t = made ? one.y() : one.x();
    Memory memory;
    memory.base = made ? y_at : x_at;
    memory.line_bytes = view.offset + t.geometry.pixels * view.pixel_pitch * t.element_bytes();
    plan.memories.push_back(memory);
    plan.views.push_back(view);
    plan.views.back().memory = made ? 1 : 0;
  }
  Actor actor;
  actor.operations = {OperationId(size_t{0})};
  actor.overlapping = true;
  return overwritten(one.program, plan, actor, {TensorId(size_t{0}), 0, {0, 1}}, 0, 0).has_value();
}

TEST(Inference, OverwrittenPixelsAreFound) {
  planner::Random random(29);
  int wrong = 0, right = 0, tight = 0;
  for (int t = 0; t < 6000; ++t) {
    OneLine one = random_line(random, t % 3);
    const bool dense = random.below(2) == 0;
    if (dense) {
      one.read.pixel_pitch = one.x().geometry.channels, one.made.pixel_pitch = one.y().geometry.channels;
      one.read.offset = one.made.offset = 0;
    }
    const std::vector<OneLine::Touch> touches = one.touches();
    for (int64_t distance = -6; distance < 14; ++distance) {
      const bool destroyed = destroys(touches, distance);
      const bool found = found_overwritten(one, 100, 100 - distance);
      ASSERT_TRUE(found || !destroyed) << t << " " << distance;
      // Elementwise and without gaps every byte counts: no distance that is right is refused.
      if (dense && t % 3 == 0) {
        ASSERT_EQ(found, destroyed) << t << " " << distance;
        ++tight;
      }
      (found ? wrong : right)++;
    }
  }
  EXPECT_GT(wrong, 10000);
  EXPECT_GT(right, 10000);
  EXPECT_GT(tight, 10000);
}

struct Scheduled {
  std::vector<bool> cuts;
  std::vector<Step> steps;
  Lives lives;
};

Scheduled run_of(const Net& net, std::vector<bool> cuts) {
  Scheduled run{std::move(cuts), {}, {}};
  run.steps = pull_all(net, run.cuts);
  run.lives = find_lives(net, run.steps);
  return run;
}

std::vector<bool> random_cuts(const Net& net, planner::Random& random, int64_t one_in) {
  std::vector<bool> cuts(net.nodes.size() + 1, false);
  for (size_t n = 1; n < net.nodes.size(); ++n) cuts[n] = random.below(one_in) == 0;
  return cuts;
}

// Born in the step that makes it, used for the last time in the last step that reads it, found line by line.
TEST(Inference, LivesAndBound) {
  planner::Random random(24);
  int64_t lines = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t height = 3 + random.below(7);
    const Net net = chain_of(3 + static_cast<int>(random.below(6)), height, random);
    const Scheduled run = run_of(net, random_cuts(net, random, 3));
    const auto end = static_cast<int>(run.steps.size());
    std::vector<int64_t> alive(Z(end), 0);
    for (size_t m = 0; m < net.memories.size(); ++m) {
      for (int64_t l = 0; l < net.memories[m].lines; ++l, ++lines) {
        int born = kNever, last = -2;
        for (int s = 0; s < end; ++s) {
          const NetNode& node = net.nodes[Z(run.steps[Z(s)].actor)];
          if (node.memory == static_cast<int>(m) && run.steps[Z(s)].first_line == l) born = last = s;
          for (const Access& access : node.reads) {
            const Span span = access.lines[Z(run.steps[Z(s)].first_line)];
            if (access.memory != static_cast<int>(m) || l < span.first || l >= span.end) continue;
            ASSERT_NE(born, kNever) << "read before it is made";
            last = s;
          }
        }
        if (net.kept[m]) last = kNever;
        ASSERT_EQ(run.lives.lines[m][Z(l)].born, born);
        ASSERT_EQ(run.lives.lines[m][Z(l)].last, last);
        // What dies in a step may lie where something is born in it: a line counts behind each step but its last, or in
        // its only one.
        for (int s = born; s < std::min(end, std::max(last, born + 1)); ++s) alive[Z(s)] += net.memories[m].line_bytes;
      }
    }
    // find_lives() counts before and behind each step.
    ASSERT_EQ(run.lives.alive.size(), alive.size());
    ASSERT_EQ(run.lives.bound, *std::max_element(alive.begin(), alive.end()));
    ASSERT_EQ(run.lives.alive[Z(run.lives.bound_step)], run.lives.bound);
  }
  EXPECT_GT(lines, 2000);
}

// The shortest ring in which no two lines that live together share a slot.
TEST(Inference, RingsAreAsShortAsTheirLinesAllow) {
  planner::Random random(25);
  int rings = 0, whole = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t height = 3 + random.below(7);
    const Net net = chain_of(3 + static_cast<int>(random.below(6)), height, random);
    const Scheduled run = run_of(net, random_cuts(net, random, 4));
    for (size_t m = 0; m < net.memories.size(); ++m) {
      const std::vector<LineLife>& lines = run.lives.lines[m];
      const auto holds = [&](int64_t slots) {
        for (size_t q = 0; q < lines.size(); ++q) {
          for (size_t r = q + Z(slots); r < lines.size(); r += Z(slots)) {
            if (lines[r].born <= lines[q].last && lines[q].born <= lines[r].last) return false;
          }
        }
        return true;
      };
      const int64_t slots = run.lives.slots[m];
      ASSERT_TRUE(run.lives.ascending[m]);
      ASSERT_TRUE(holds(slots));
      if (slots > 1) {
        ASSERT_FALSE(holds(slots - 1));
      }
      (slots < net.memories[m].lines ? rings : whole)++;
    }
  }
  EXPECT_GT(rings, 200);
  EXPECT_GT(whole, 100);
}

// The same net with its memories listed the other way round: what is made comes before what it is made from.
Net reversed(Net net) {
  std::reverse(net.memories.begin(), net.memories.end());
  std::reverse(net.names.begin(), net.names.end());
  for (std::vector<bool>* flags : {&net.contiguous, &net.outside, &net.given, &net.kept})
    std::reverse(flags->begin(), flags->end());
  const auto turned = [&](int m) { return m < 0 ? m : static_cast<int>(net.memories.size()) - 1 - m; };
  for (NetNode& node : net.nodes) {
    node.memory = turned(node.memory);
    for (Access& access : node.reads) access.memory = turned(access.memory);
    for (std::vector<int>* memories : {&node.also, &node.helpers, &node.states}) {
      for (int& m : *memories) m = turned(m);
    }
  }
  return net;
}

// What two memories forbid each other is what their lines do, pair by pair: see note [pairs].
TEST(Inference, PairsForbidWhatTheirLinesForbid) {
  planner::Random random(26);
  int special = 0, several = 0, pairs = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t height = 3 + random.below(6);
    Net net = chain_of(3 + static_cast<int>(random.below(5)), height, random);
    if (round % 2 == 1) net = reversed(std::move(net));
    const Scheduled run = run_of(net, random_cuts(net, random, 4));
    const Packing packing = make_packing(net, run.steps, run.lives, Places::together, 4);
    // In the step in which line q of x dies and line r of y is born.
    const auto distance_of = [&](int x, int64_t q, int y, int64_t r) -> std::optional<int64_t> {
      const LineLife &dies = run.lives.lines[Z(x)][Z(q)], &born = run.lives.lines[Z(y)][Z(r)];
      if (dies.last != born.born || dies.born >= born.born) return {};
      std::optional<int64_t> distance;
      for (const Access& access : net.nodes[Z(run.steps[Z(born.born)].actor)].reads) {
        if (access.memory == x && access.lines[Z(r)].first <= q && q < access.lines[Z(r)].end)
          distance = access.overlap_distance;
      }
      return distance && *distance < net.memories[Z(y)].line_bytes ? distance : std::nullopt;
    };
    for (size_t a = 0; a < packing.items.size(); ++a) {
      for (size_t b = a + 1; b < packing.items.size(); ++b, ++pairs) {
        const int x = packing.items[a].memory, y = packing.items[b].memory;
        const int64_t wx = net.memories[Z(x)].line_bytes, wy = net.memories[Z(y)].line_bytes;
        const int64_t lowest = packing.problem.items[b].size + 2, highest = packing.problem.items[a].size + 2;
        std::vector<char> expected(Z(lowest + highest + 1), 0), found = expected;
        const auto forbid = [&](std::vector<char>& differences, int64_t lo, int64_t hi) {
          for (int64_t d = lo + 1; d < hi; ++d) differences.at(Z(d + lowest)) = 1;
        };
        for (int64_t q = 0; q < net.memories[Z(x)].lines; ++q) {
          for (int64_t r = 0; r < net.memories[Z(y)].lines; ++r) {
            const LineLife &of_x = run.lives.lines[Z(x)][Z(q)], &of_y = run.lives.lines[Z(y)][Z(r)];
            if (of_x.born > of_y.last || of_y.born > of_x.last) continue;
            const int64_t base = q % run.lives.slots[Z(x)] * wx - r % run.lives.slots[Z(y)] * wy;
            const auto below = distance_of(x, q, y, r), above = distance_of(y, r, x, q);
            special += below || above;
            forbid(expected, base - below.value_or(wy), base + above.value_or(wx));
          }
        }
        std::vector<planner::Forbidden> forbidden =
            planner::forbidden_by_lives(packing.problem.items[a], packing.problem.items[b]);
        for (const planner::Pair& pair : packing.problem.pairs) {
          if (pair.a == static_cast<int>(a) && pair.b == static_cast<int>(b)) forbidden = pair.forbidden;
        }
        for (const planner::Forbidden& f : forbidden) forbid(found, f.lo, f.hi);
        ASSERT_EQ(found, expected) << "round " << round << " memories " << x << " " << y;
        several += forbidden.size() > 1;
      }
    }
  }
  EXPECT_GT(pairs, 1000);
  EXPECT_GT(special, 500);
  EXPECT_GT(several, 30);
}

// Bytes alive at most with these cuts, where what crosses a cut is kept until the segment that uses it for the last
// time.
int64_t bound_of(const Net& net, const Scheduled& run) {
  const size_t count = net.nodes.size();
  std::vector<int> segment(count, 0), last_segment(net.memories.size(), 0);
  for (size_t n = 1; n < count; ++n) segment[n] = segment[n - 1] + (run.cuts[n] ? 1 : 0);
  for (size_t n = 0; n < count; ++n) {
    for (const Access& access : net.nodes[n].reads) last_segment[Z(access.memory)] = segment[n];
    last_segment[n] = std::max(last_segment[n], segment[n]);
  }
  std::vector<int> begins(Z(segment.back()) + 2, static_cast<int>(run.steps.size()));
  for (size_t s = run.steps.size(); s-- > 0;) begins[Z(segment[Z(run.steps[s].actor)])] = static_cast<int>(s);
  std::vector<int64_t> alive(run.steps.size(), 0);
  for (size_t m = 0; m < net.memories.size(); ++m) {
    for (const LineLife& life : run.lives.lines[m]) {
      int last = std::max({life.last, life.born + 1, begins[Z(last_segment[m])]});
      if (last_segment[m] == segment[m]) last = std::max(life.last, life.born + 1);
      for (int s = life.born; s < std::min(last, static_cast<int>(run.steps.size())); ++s)
        alive[Z(s)] += net.memories[m].line_bytes;
    }
  }
  return *std::max_element(alive.begin(), alive.end());
}

// No set of cuts has fewer bytes alive than those that the path finds.
TEST(Inference, SegmentCutsAreTheBestOfAll) {
  planner::Random random(27);
  int inner = 0, none = 0;
  for (int round = 0; round < 200; ++round) {
    const int64_t height = 3 + random.below(5);
    const Net net = chain_of(3 + static_cast<int>(random.below(4)), height, random);
    const SegmentCuts found = find_segment_cuts(net, 1 << 30);
    ASSERT_TRUE(found.complete);
    int64_t least = INT64_MAX;
    for (uint32_t set = 0; set < 1u << (net.nodes.size() - 1); ++set) {
      std::vector<bool> cuts(net.nodes.size() + 1, false);
      for (size_t n = 1; n < net.nodes.size(); ++n) cuts[n] = (set >> (n - 1) & 1) != 0;
      least = std::min(least, bound_of(net, run_of(net, std::move(cuts))));
    }
    ASSERT_EQ(found.lines_bound, least) << round;
    ASSERT_EQ(bound_of(net, run_of(net, found.by_lines)), least) << round;
    const auto cuts = std::count(found.by_lines.begin(), found.by_lines.end(), true);
    (cuts > 0 ? inner : none)++;
  }
  EXPECT_GT(inner, 5);
  EXPECT_GT(none, 5);
}

// With less work than all segments take, the best may be missed, and that is told.
TEST(Inference, SegmentCutsTellWhereTheyWereCutShort) {
  planner::Random random(28);
  int complete = 0, short_of = 0, worse = 0;
  for (int round = 0; round < 200; ++round) {
    const int64_t height = 3 + random.below(5);
    const Net net = chain_of(4 + static_cast<int>(random.below(8)), height, random);
    const int64_t least = find_segment_cuts(net, 1 << 30).lines_bound;
    for (const uint64_t work : std::initializer_list<uint64_t>{1, 100, 400, 1600, 6400}) {
      const SegmentCuts found = find_segment_cuts(net, work);
      ASSERT_GE(found.lines_bound, least) << round;
      if (found.complete) {
        ASSERT_EQ(found.lines_bound, least) << round << " " << work;
      }
      (found.complete ? complete : short_of)++;
      worse += found.lines_bound > least;
    }
  }
  EXPECT_GT(complete, 200);
  EXPECT_GT(short_of, 200);
  EXPECT_GT(worse, 50);
}

}  // namespace
}  // namespace tarn::stream
