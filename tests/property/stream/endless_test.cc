// Random causal networks on signals without end: the beginning of each plan runs on tagged bytes, and again on signals
// of any length; plans with a ring that is too short are found out.
#include "stream/endless.h"

#include <gtest/gtest.h>

#include "planner/random.h"
#include "stream/check/check_plan.h"
#include "stream/network/extend_signal.h"
#include "tag_executor.h"

namespace tarn::stream {
namespace {

using program::Argument;
using program::Geometry;
using program::LineArgument;
using program::LineMap;
using program::Operation;
using program::Tensor;
using program::Walk;

class CausalNet {
 public:
  explicit CausalNet(uint64_t seed) : random_(seed) {}

  Program make() {
    live_.push_back(tensor({40, 1 + random_.below(3), 1 + random_.below(4)}, program::Kind::input));
    program_.inputs.push_back(live_.back());
    rates_.push_back({1, 1});
    const int64_t count = 3 + random_.below(8);
    for (int64_t i = 0; i < count; ++i) {
      if (random_.below(3) == 0) sum();
      else window();
    }
    for (size_t i = 0; i < live_.size(); ++i) {
      if (read_[i]) continue;
      program_[live_[i]].kind = program::Kind::output;
      program_.outputs.push_back(live_[i]);
    }
    return program_;
  }

 private:
  TensorId tensor(Geometry g, program::Kind kind = program::Kind::activation) {
    Tensor t;
    t.name = "t" + std::to_string(program_.tensors.size());
    t.geometry = g;
    t.kind = kind;
    t.type = {DType::int8, Shape{1, g.lines, g.pixels, g.channels}};
    program_.tensors.push_back(std::move(t));
    read_.push_back(false);
    return TensorId(program_.tensors.size() - 1);
  }

  size_t any() { return static_cast<size_t>(random_.below(static_cast<int64_t>(live_.size()))); }

  void push(const std::vector<size_t>& from, const LineMap& map, Geometry g, bool identity, Rate rate) {
    const TensorId y = tensor(g);
    Operation o;
    o.kernel = o.op = identity ? "Add" : "Conv";
    program::LineForm form;
    program::LineCall call;
    for (size_t x : from) {
      Argument a;
      a.role = Argument::Role::read;
      a.tensor = live_[x];
      Walk walk;
      walk.identity = walk.read_before_write = identity;
      for (int64_t r = 0; r < g.lines && !identity; ++r) {
        const int64_t first = r * map.scale + map.first, last = first + (map.count - 1) * map.step;
        walk.lines.push_back({std::max<int64_t>(0, first), std::max<int64_t>(0, last + 1)});
      }
      if (!identity) walk.columns.assign(static_cast<size_t>(g.pixels), Span{0, program_[live_[x]].geometry.pixels});
      a.walk = std::move(walk);
      o.arguments.push_back(std::move(a));
      LineArgument line;
      line.how = identity ? LineArgument::How::line : LineArgument::How::rows;
      line.argument = o.arguments.size() - 1;
      line.map = map;
      call.arguments.push_back(std::move(line));
      read_[x] = true;
    }
    Argument made;
    made.role = Argument::Role::write;
    made.tensor = y;
    o.arguments.push_back(std::move(made));
    form.calls.push_back(std::move(call));
    if (random_.below(3) == 0) form.scratch_bytes = 1 + random_.below(20);
    o.line_form = std::move(form);
    program_.operations.push_back(std::move(o));
    program_.main.push_back(OperationId(program_.operations.size() - 1));
    live_.push_back(y);
    rates_.push_back(rate);
  }

  void window() {
    const size_t x = any();
    LineMap map;
    map.count = 1 + random_.below(3);
    map.step = 1 + random_.below(3);
    map.scale = rates_[x].frames < 4 ? 1 + random_.below(2) : 1;
    map.first = -random_.below((map.count - 1) * map.step + 1);
    const int64_t reach = map.first + (map.count - 1) * map.step, lines = program_[live_[x]].geometry.lines;
    if (lines - 1 < reach) return;
    push({x}, map, {(lines - 1 - reach) / map.scale + 1, 1 + random_.below(3), 1 + random_.below(4)}, false,
         {1, rates_[x].frames * map.scale});
  }

  void sum() {
    const size_t a = any();
    std::vector<size_t> from{a};
    for (size_t b = 0; b < live_.size() && from.size() < 2; ++b) {
      if (b != a && rates_[b] == rates_[a] && program_[live_[b]].geometry == program_[live_[a]].geometry)
        from.push_back(b);
    }
    push(from, {}, program_[live_[a]].geometry, true, rates_[a]);
  }

  planner::Random random_;
  Program program_;
  std::vector<TensorId> live_;
  std::vector<bool> read_;
  std::vector<Rate> rates_;
};

EndlessPlan plan_of(const Program& program) {
  Options options;
  options.mode = Mode::time;
  options.drain = true;
  return make_endless(program, {}, options, {4, 0});
}

TEST(Endless, BeginningsRunOnTaggedBytes) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const EndlessPlan made = plan_of(CausalNet(seed).make());
    ASSERT_EQ(made.obstacle, "") << seed;
    const std::vector<std::string> faults = check_plan(made.program, made.beginning);
    ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(made.program);
    ASSERT_EQ(TagExecutor(made.program, made.beginning).run(), 0) << "seed " << seed;
  }
}

// The words as the driver runs them, some hundred passes of the loop, on the same signal of that length.
TEST(Endless, PlansGoOnOnTaggedBytes) {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    const Program program = CausalNet(seed).make();
    const EndlessPlan made = plan_of(program);
    ASSERT_EQ(made.obstacle, "") << seed;
    const Endless& endless = *made.plan.endless;
    // The plan keeps the beginning and one pass: its segments speak of these steps alone.
    ASSERT_FALSE(made.plan.segments.empty()) << seed;
    EXPECT_EQ(made.plan.segments.back().end_step, made.plan.steps.size()) << seed;
    const int64_t passes = std::min<int64_t>(300, 2 * endless.passes + 3);
    int64_t frames = 0;
    for (size_t n = 0; n < made.plan.actors.size(); ++n) {
      if (made.plan.actors[n].what == Actor::What::feed)
        frames = made.beginning.actors[n].lines + passes * endless.lines[n];
    }
    const ExtendedSignal longer = extend_signal(program, frames);
    Plan plan = made.plan;
    for (int64_t i = 1; i < passes; ++i)
      plan.loops.insert(plan.loops.end(), made.plan.loops.begin() + static_cast<std::ptrdiff_t>(endless.prologue),
                        made.plan.loops.end());
    ASSERT_EQ(TagExecutor(longer.program, plan).run(), 0) << "seed " << seed;
    // When the counters go back, every line stands where it stood.
    for (size_t n = 0; n < plan.actors.size(); ++n) {
      const Operation* o = plan.actors[n].operations.empty() ? nullptr : &program[plan.actors[n].operations[0]];
      const TensorId id = o                                          ? o->arguments.back().tensor
                          : plan.actors[n].what == Actor::What::feed ? program.inputs[plan.actors[n].port]
                                                                     : program.outputs[plan.actors[n].port];
      const Memory& memory = plan.memories[static_cast<size_t>(plan.views[id.pos()].memory)];
      EXPECT_EQ(memory.address(0), memory.address(endless.passes * endless.lines[n])) << "seed " << seed;
    }
  }
}

TEST(Endless, ShorterRingsAreFound) {
  int rings = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const EndlessPlan made = plan_of(CausalNet(seed).make());
    for (size_t m = 0; m < made.beginning.memories.size(); ++m) {
      if (made.beginning.memories[m].slots < 2 || made.beginning.memories[m].holds != Memory::Holds::tensor) continue;
      Plan wrong = made.beginning;
      --wrong.memories[m].slots;
      ++rings;
      EXPECT_FALSE(check_plan(made.program, wrong).empty()) << "seed " << seed << " memory " << m;
    }
  }
  EXPECT_GT(rings, 10);
}

TEST(Endless, WhatNeedsTheEndIsRefused) {
  Program program = CausalNet(3).make();
  for (Operation& o : program.operations) {
    if (o.op == "Conv") o.line_form->calls[0].arguments[0].map.first += 3;
  }
  EXPECT_NE(plan_of(program).obstacle, "");
}

}  // namespace
}  // namespace tarn::stream
