// Random causal networks on signals without end: the beginning of each plan runs on tagged bytes, and again on signals
// of any length; plans with a ring that is too short are found out.
#include "stream/endless.h"

#include <gtest/gtest.h>

#include "digest_plan.h"
#include "planner/index.h"
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
  // linear: each window on the one before it, without pads or with pads at the beginning, then sums over all steps, or
  // one step of them.
  explicit CausalNet(uint64_t seed, bool linear = false) : random_(seed), linear_(linear) {}

  Program make() {
    live_.push_back(tensor({40, 1 + random_.below(3), 1 + random_.below(4)}, program::Kind::input));
    program_.inputs.push_back(live_.back());
    rates_.push_back({1, 1});
    const int64_t count = 3 + random_.below(8);
    for (int64_t i = 0; i < count; ++i) {
      if (random_.below(3) == 0) sum();
      else window();
    }
    if (linear_) end_with_one();
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

  size_t any() {
    return linear_ ? live_.size() - 1 : static_cast<size_t>(random_.below(static_cast<int64_t>(live_.size())));
  }

  // Of a few steps: what comes before them is not looked at.
  void end_with_one() {
    const size_t x = live_.size() - 1;
    Geometry g = program_[live_[x]].geometry;
    const int64_t line = g.pixels * g.channels, lines = g.lines;
    g.lines = 1;
    push({x}, {}, g, true, {1, 1});
    Operation& o = program_.operations.back();
    if (random_.below(2) == 0) {
      o.line_form->accumulate = true;
      o.line_form->accumulator_bytes = 4 * g.channels;
      return;
    }
    o.line_form.reset();
    o.view = program::View{live_.back(), live_[x], (lines - 1 - random_.below(std::min<int64_t>(4, lines))) * line};
  }

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
      line.how = identity || map.count == 1 ? LineArgument::How::line : LineArgument::How::rows;
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
    if (linear_ && random_.below(4) > 0) map.first = 0;
    if (linear_ && random_.below(4) == 0) map.first += (map.count - 1) * map.step, map.step = -map.step;
    const int64_t reach = map.first + std::max<int64_t>(0, (map.count - 1) * map.step),
                  lines = program_[live_[x]].geometry.lines;
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
  bool linear_;
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
    for (const Memory& memory : made.beginning.memories) {
      if (memory.holds == Memory::Holds::tensor) {
        EXPECT_LT(memory.slots, memory.lines) << seed;
      }
    }
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
    LinePlan plan = made.plan;
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
      LinePlan wrong = made.beginning;
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

// Elements that share bytes are not made step by step.
TEST(Endless, WhatWorksOnAllStepsIsRefused) {
  std::map<std::string, int> refused;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Program program = CausalNet(seed).make();
    const Operation& o = program.operations[seed % program.operations.size()];
    program[o.arguments.back().tensor].type.dtype = DType::int4;
    ++refused[plan_of(program).obstacle];
  }
  for (const auto& [why, times] : refused) EXPECT_NE(why.find("works on all steps at once"), std::string::npos) << why;
  EXPECT_EQ(refused.size(), 2u);
}

// What extend_signal() makes of a program: rates, lines and walks, or why it makes nothing.
void add(tarn::test::Digest& digest, const ExtendedSignal& extended) {
  digest.add(extended.obstacle);
  for (const Rate& rate : extended.rates) digest.add(rate.lines).add(rate.frames);
  for (const Tensor& t : extended.program.tensors) digest.add(t.geometry.lines).add(t.type.shape.dims);
  for (const Operation& o : extended.program.operations) {
    if (o.line_form) digest.add(o.line_form->accumulate).add(o.line_form->scratch_bytes);
    for (const Argument& a : o.arguments) {
      if (!a.walk) continue;
      for (const Span& span : a.walk->lines) digest.add(span.first).add(span.end);
      for (const Span& span : a.walk->columns) digest.add(span.first).add(span.end);
    }
  }
}

TEST(PinnedEndless, OfRandomNetworks) {
  tarn::test::Digest digest;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const EndlessPlan made = plan_of(CausalNet(seed).make());
    add(digest, made.plan);
    add(digest, made.beginning);
  }
  EXPECT_EQ(digest.value(), 1059625994463469016u);
}

// Lines of other places, sums over all of them, parts of a signal, tables, inputs and outputs of other lengths.
Program changed(Program program, planner::Random& random) {
  Operation& o = program.operations[Z(random.below(static_cast<int64_t>(program.operations.size())))];
  LineArgument& line = o.line_form->calls[0].arguments[0];
  const TensorId x = o.arguments[0].tensor, y = o.arguments.back().tensor;
  const int64_t one = random.below(2) == 0 ? 1 : -1;
  switch (random.below(16)) {
    case 0: line.map.first += one; break;
    case 1: line.map.count += 1; break;
    case 2: line.map.scale += one; break;
    case 3: line.map.divide += one; break;
    case 4: line.map.step = -line.map.step; break;
    case 5: line.map.exact = true, line.map.divide = 2; break;
    case 6: line.map.table = 1; break;
    case 7: line.number = 1; break;
    case 8: line.how = LineArgument::How::part; break;
    case 9: line.how = LineArgument::How::same; break;
    case 10: o.line_form.reset(); break;
    case 11:
      o.line_form->accumulate = true;
      o.line_form->accumulator_bytes = 8;
      program[y].geometry.lines = 1 + random.below(2) / 2 * program[x].geometry.lines;
      break;
    case 12: o.line_form->calls.push_back(o.line_form->calls[0]); break;
    case 13: program[y].geometry.lines += one; break;
    case 14: {                                                              // steps of another tensor
      if (program[y].geometry.pixels != program[x].geometry.pixels) break;  // its readers know their columns
      o.line_form.reset();
      o.arguments[0].walk = Walk{};
      o.arguments[0].walk->identity = true;
      const int64_t pixels = program[x].geometry.pixels * program[x].geometry.channels;
      program[y].geometry = program[x].geometry;
      const int64_t first = random.below(3);
      program[y].geometry.lines = random.below(2) == 0 ? 1 : std::max<int64_t>(1, program[x].geometry.lines - first);
      if (random.below(6) == 0) program[y].geometry.channels += 1;
      o.view = program::View{y, x, first * pixels + random.below(8) / 7};
      if (random.below(6) == 0) o.view = program::View{x, y, random.below(2) * pixels};
      break;
    }
    default: program[program.inputs[0]].geometry.lines = 1 + random.below(3); break;
  }
  return program;
}

// Every tensor with the lines that are final at the end of the signal, so that the network may go on.
Program with_final_lines(Program program) {
  for (const Operation& o : program.operations) {
    if (!o.line_form || o.line_form->accumulate) continue;
    int64_t lines = INT64_MAX;
    for (size_t i = 0; i + 1 < o.arguments.size(); ++i) {
      const LineMap& m = o.line_form->calls[0].arguments[i].map;
      const int64_t have = program[o.arguments[i].tensor].geometry.lines * m.divide - 1 - m.first -
                           std::max<int64_t>(0, (m.count - 1) * m.step);
      lines = std::min(lines, have < 0 ? 0 : have / std::max<int64_t>(1, m.scale) + 1);
    }
    program[o.arguments.back().tensor].geometry.lines = lines;
  }
  return program;
}

TEST(PinnedEndless, OfSumsAndSteps) {
  tarn::test::Digest digest;
  int possible = 0, padded = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Program program = CausalNet(seed, true).make();
    add(digest, extend_signal(program, 70));
    const EndlessPlan made = plan_of(program);
    digest.add(made.obstacle);
    padded += made.obstacle.find("where the signal begins") != std::string::npos;
    if (!made.obstacle.empty()) continue;
    ++possible;
    add(digest, made.plan);
    ASSERT_EQ(check_plan(made.program, made.beginning), std::vector<std::string>{}) << seed;
    ASSERT_EQ(TagExecutor(made.program, made.beginning).run(), 0) << seed;
  }
  EXPECT_EQ(digest.value(), 2323289678612494814u);
  EXPECT_GT(possible, 25);
  EXPECT_GT(padded, 25);
}

// One of its operations reads lines of something else too, which is no signal.
void digest_with_fixed(tarn::test::Digest& digest, Program program, planner::Random& random) {
  Operation& o = program.operations[Z(random.below(std::ssize(program.operations)))];
  if (!o.line_form) return;
  program.tensors.push_back(program[program.inputs[0]]);
  program.tensors.back().kind = program::Kind::activation;
  Argument fixed = o.arguments[0];
  fixed.tensor = TensorId(program.tensors.size() - 1);
  o.line_form->calls[0].arguments.push_back({LineArgument::How::line, o.arguments.size()});
  o.arguments.push_back(fixed);
  add(digest, extend_signal(program, 70));
}

TEST(PinnedEndless, OfChangedNetworks) {
  planner::Random random(61);
  tarn::test::Digest digest;
  std::map<std::string, int> obstacles, refused;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Program program = CausalNet(seed).make();
    for (int64_t times = random.below(3); times >= 0; --times) {
      if (std::all_of(program.operations.begin(), program.operations.end(),
                      [](const Operation& o) { return bool(o.line_form); }))
        program = changed(std::move(program), random);
    }
    if (random.below(2) == 0) program = with_final_lines(std::move(program));
    if (random.below(6) == 0) digest_with_fixed(digest, program, random);
    const ExtendedSignal extended = extend_signal(program, 64 + random.below(3));
    ++obstacles[extended.obstacle.substr(0, extended.obstacle.find('\''))];
    add(digest, extended);
    const EndlessPlan made = plan_of(program);
    digest.add(made.obstacle);
    ++refused[made.obstacle];
    if (!made.obstacle.empty()) continue;
    add(digest, made.plan);
    ASSERT_EQ(check_plan(made.program, made.beginning), std::vector<std::string>{}) << seed;
    ASSERT_EQ(TagExecutor(made.program, made.beginning).run(), 0) << seed;
  }
  for (const char* why : {"Conv reads all steps at once", "Add reads all steps at once",
                          "Conv makes steps that must stand together", "a port makes steps that must stand together"})
    EXPECT_GT(refused[why], 10) << why;
  EXPECT_EQ(digest.value(), 7415825369307280840u);
  EXPECT_GT(obstacles[""], 50);
  EXPECT_GT(obstacles.size(), 12u);
}

}  // namespace
}  // namespace tarn::stream
