// What the checker says of wrong plans of networks with states, of sizes that the caller sets and of steps of several
// lines, word by word; and that what must be there before a run or behind it is missed wherever it does not lie.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "false_plans.h"
#include "flow_by_lines.h"
#include "line_plan.h"
#include "property/digest.h"
#include "random_net.h"
#include "stream/check/check_plan.h"
#include "stream/check/plan_reads.h"
#include "support/text.h"

namespace tarn::stream {
namespace {

struct Faultless {
  Program program;
  LinePlan plan;
};

// Absent where the program has no plan by lines.
std::optional<Faultless> faultless(Program program, uint64_t seed) {
  if (!obstacle(program).empty()) return {};
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, seed % 5 == 0);
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  Options options;
  options.mode = seed % 2 == 0 ? Mode::resident : Mode::fed;
  options.drain = seed % 3 == 0;
  options.lines = seed % 7 == 0 ? Lines::table : Lines::ring;
  const SearchLimits limits{.alignment = 4, .effort = 0, .part = 64};
  const JoinedLayers choice = finish(choose(program, {{storage, order}}, options, limits), limits);
  const std::optional<JoinedLayers> longer =
      seed % 2 == 0 ? with_longer_steps(choice, program, options, limits, 3) : std::nullopt;
  LinePlan plan = plan_of(longer ? *longer : choice, options, limits);
  return Faultless{std::move(program), std::move(plan)};
}

// An operation by lines reads all of an input beside, as one piece.
void read_beside(Program& program) {
  for (program::Operation& o : program.operations) {
    if (o.view || !o.line_form || o.line_form->accumulate) continue;
    program::Argument beside;
    beside.role = program::Argument::Role::read;
    beside.tensor = program.inputs[0];
    o.arguments.insert(o.arguments.end() - 1, beside);
    return;
  }
}

// The last operation takes all at once, and a state too, which it writes, or which an output is copied to behind the
// run.
Program states_and_sizes(uint64_t seed) {
  Program program = RandomNet(seed, static_cast<RandomNet::Joins>(seed % 5)).make();
  if (seed % 3 == 0) set_size(program);
  if (seed % 4 < 2) read_beside(program);
  program::Operation& last = program[program.main.back()];
  if (last.view) return program;
  program::Tensor& state = program.tensors.emplace_back();
  state.name = "state";
  state.kind = program::Kind::state;
  state.geometry = {2, 3, 4};
  state.type = {DType::int8, Shape{1, 2, 3, 4}};
  program.states = {TensorId(program.tensors.size() - 1)};
  program.kept.emplace_back().bytes = state.bytes();
  last.line_form.reset();
  program::Tensor& scratch = program.tensors.emplace_back(program[program.states[0]]);
  scratch.name = "scratch";
  scratch.kind = program::Kind::scratch;
  last.arguments.push_back({.role = program::Argument::Role::scratch, .tensor = TensorId(program.tensors.size() - 1)});
  program::Argument held;
  held.role = seed % 2 == 0 ? program::Argument::Role::update : program::Argument::Role::read;
  held.tensor = program.states[0];
  last.arguments.push_back(held);
  if (seed % 2 == 0) return program;
  program::Operation& copy = program.operations.emplace_back();
  copy.arguments = {{.role = program::Argument::Role::read, .tensor = program.outputs[0]},
                    {.role = program::Argument::Role::write, .tensor = program.states[0]}};
  program.epilogue = {OperationId(program.operations.size() - 1)};
  return program;
}

// The first input is made of another one, line by line, so that it can be made as the lines come.
Program with_taken_lines(uint64_t seed) {
  Program program = RandomNet(seed, static_cast<RandomNet::Joins>(seed % 5)).make();
  const TensorId made = program.inputs[0], given(program.tensors.size());
  program.tensors.push_back(program[made]);
  program.tensors.back().name = "given";
  program[made].kind = program::Kind::activation;
  program.inputs[0] = given;
  program::Operation& o = program.operations.emplace_back();
  o.kernel = o.op = "Relu";
  program::Walk walk;
  walk.identity = walk.read_before_write = true;
  o.arguments = {{.role = program::Argument::Role::read, .tensor = given, .walk = walk},
                 {.role = program::Argument::Role::write, .tensor = made}};
  o.line_form.emplace().calls.resize(1);
  program.main.insert(program.main.begin(), OperationId(program.operations.size() - 1));
  return program;
}

// Kernels that make several lines, and operands without tensors.
Program longer_steps_of(uint64_t seed) {
  Program program =
      seed % 4 == 0 ? with_taken_lines(seed) : RandomNet(seed, static_cast<RandomNet::Joins>(seed % 5)).make();
  for (program::Operation& o : program.operations) {
    if (!o.line_form) o.arguments.push_back({.role = program::Argument::Role::scratch});
    if (!o.line_form || o.line_form->calls.size() > 1) continue;
    o.line_form->calls.resize(1);
    o.line_form->together = o.line_form->calls.front();
  }
  return program;
}

// What steps, actors and views say.
void falsify_more(Random& random, LinePlan& plan) {
  Actor& actor = plan.actors[Z(random.below(std::ssize(plan.actors)))];
  LineView& view = plan.views[Z(random.below(std::ssize(plan.views)))];
  Memory& memory = plan.memories[Z(random.below(std::ssize(plan.memories)))];
  Step& step = plan.steps[Z(random.below(std::ssize(plan.steps)))];
  switch (random.below(9)) {
    case 0: return void(actor.at_once = 1 + random.below(4));
    case 1: return void(step.lines = random.below(4));
    case 2: return void(actor.whole = actor.whole || (actor.what == Actor::What::operation && !actor.line_buffer));
    case 3: return void(view.first_line = std::max<int64_t>(0, view.first_line - 1));
    case 4: return void(view.by_lines = !view.by_lines);
    case 5: return void(memory.base = random.below(plan.arena + 4) - 2);
    case 6: return void(memory.slots = 1 + random.below(memory.lines));
    case 7: return void(actor.pass += actor.what == Actor::What::feed);
    default: return falsify(random, plan);
  }
}

uint64_t faults_of(uint64_t first_seed, uint64_t count, const std::function<Program(uint64_t)>& make,
                   std::map<std::string, int>& found, int* taken = nullptr) {
  tarn::test::Digest digest;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::optional<Faultless> made = faultless(make(seed), seed);
    if (!made) continue;
    EXPECT_EQ(check_plan(made->program, made->plan), std::vector<std::string>{}) << seed;
    for (const Actor& actor : made->plan.actors) {
      if (taken) *taken += actor.what == Actor::What::feed && !actor.operations.empty();
    }
    Random random(seed);
    for (int t = 0; t < 60; ++t) {
      LinePlan plan = made->plan;
      for (int64_t times = 1 + random.below(2); times > 0; --times) falsify_more(random, plan);
      const std::vector<std::string> faults = check_plan(made->program, plan);
      digest.add(faults);
      for (const std::string& fault : faults) {
        const std::string what = fault.substr(fault.find(": ") + 2);
        ++found[what.substr(0, what.find('\''))];
      }
    }
  }
  return digest.value();
}

// Only what reads lines and makes lines, and keeps nothing, makes several in a step.
TEST(PinnedFaults, WhatMakesSeveralLines) {
  int tried = 0;
  for (uint64_t seed = 1000; seed < 1020; seed += 2) {
    const std::optional<Faultless> made = faultless(longer_steps_of(seed), seed);
    for (size_t n = 0; made && n < made->plan.actors.size(); ++n) {
      const Actor& as_planned = made->plan.actors[n];
      if (as_planned.at_once < 2 || as_planned.lines % as_planned.at_once != 0) continue;
      for (int what = 0; what < 4; ++what) {
        LinePlan plan = made->plan;
        Actor& actor = plan.actors[n];
        if (what == 0) actor.whole = true;
        if (what == 1) actor.accumulate = true;
        if (what == 2) actor.gathered = 1;
        if (what == 3) actor.line_buffer.emplace();
        const std::vector<std::string> faults = check_plan(made->program, plan);
        EXPECT_TRUE(std::any_of(faults.begin(), faults.end(),
                                [&](const std::string& f) {
                                  return f.find(tarn::cat("actor ", n, " makes several lines")) != std::string::npos;
                                }))
            << seed << " " << n << " " << what;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 20);
}

// What takes lines in may keep its sums in its result.
TEST(PinnedFaults, NoneOfSumsInTheResult) {
  int without = 0;
  for (uint64_t seed = 900; seed < 910; ++seed) {
    Program program = RandomNet(seed, static_cast<RandomNet::Joins>(seed % 5)).make();
    for (program::Operation& o : program.operations) {
      if (o.line_form) o.line_form->accumulator_bytes = 0;
    }
    const std::optional<Faultless> made = faultless(program, seed);
    if (!made) continue;
    EXPECT_EQ(check_plan(made->program, made->plan), std::vector<std::string>{}) << seed;
    for (const Actor& actor : made->plan.actors) without += actor.accumulate && actor.accumulator < 0;
  }
  EXPECT_GT(without, 0);
}

// A step makes a line at least, also when all have been made.
TEST(PinnedFaults, StepsOfNoLines) {
  int tried = 0;
  for (uint64_t seed = 900; seed < 910; ++seed) {
    const std::optional<Faultless> made = faultless(states_and_sizes(seed), seed);
    if (!made) continue;
    for (size_t n = 0; n < made->plan.actors.size(); ++n) {
      LinePlan plan = made->plan;
      plan.steps.push_back({static_cast<int>(n), plan.actors[n].lines, 0});
      plan.loops.push_back({{static_cast<int>(n)}, 1});
      const std::string told = tarn::cat("makes line ", plan.actors[n].lines, " after ", plan.actors[n].lines);
      const std::vector<std::string> faults = check_plan(made->program, plan);
      ASSERT_FALSE(faults.empty()) << seed;
      EXPECT_NE(faults[0].find(told), std::string::npos) << faults[0];
      ++tried;
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(PinnedFaults, OfStatesAndSizes) {
  std::map<std::string, int> found;
  EXPECT_EQ(faults_of(900, 40, states_and_sizes, found), 17621853748815925096u);
  for (const char* what : {"state ", "size ", "next state ", "output ", "reading ", "scratch is overwritten", ""})
    EXPECT_GT(found[what], 0) << what;
}

TEST(PinnedFaults, OfTakenLines) {
  std::map<std::string, int> found;
  int taken = 0;
  EXPECT_EQ(faults_of(1101, 40, with_taken_lines, found, &taken), 4810829752384430648u);
  EXPECT_GT(taken, 10);
}

TEST(PinnedFaults, OfLongerSteps) {
  std::map<std::string, int> found;
  EXPECT_EQ(faults_of(1000, 40, longer_steps_of, found), 6734272211424652071u);
  EXPECT_GT(found["lines made together share bytes"], 0);
}

void loop_steps(LinePlan& plan) {
  plan.loops.clear();
  for (const Step& step : plan.steps) plan.loops.push_back({{step.actor}, 1});
}

bool is_told(const Program& program, const LinePlan& plan, const std::string& what) {
  const std::vector<std::string> faults = check_plan(program, plan);
  return std::any_of(faults.begin(), faults.end(),
                     [&](const std::string& fault) { return fault.find(what) != std::string::npos; });
}

// f(seed, what has no faults), of so many random networks as have a plan of the mode.
template <typename F>
void for_each_faultless(uint64_t seeds, Mode mode, F f) {
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::optional<Faultless> made = faultless(RandomNet(seed).make(), seed);
    if (made && made->plan.mode == mode) f(seed, *made);
  }
}

// Another pass of an input begins when the one before has come to its end, and none goes on when a later one has begun.
TEST(Faults, PassesOfAnInputComeInTurn) {
  int tried = 0;
  for_each_faultless(60, Mode::fed, [&](uint64_t seed, const Faultless& made) {
    const auto feed = std::find_if(made.plan.actors.begin(), made.plan.actors.end(),
                                   [](const Actor& a) { return a.what == Actor::What::feed; });
    if (feed == made.plan.actors.end()) return;
    const int first = static_cast<int>(feed - made.plan.actors.begin());
    for (const int64_t before : {int64_t{0}, feed->lines - 1, feed->lines}) {
      for (const int64_t pass : {0, 1}) {
        LinePlan plan = made.plan;
        Actor other = *feed;
        other.lines = 1;
        other.pass = pass;
        plan.actors[Z(first)].pass = 1 - pass;
        plan.actors.push_back(std::move(other));
        auto at = plan.steps.begin();
        for (int64_t fed = 0; fed < before; ++at) fed += at->actor == first;
        plan.steps.insert(at, {static_cast<int>(plan.actors.size()) - 1, 0, 1});
        loop_steps(plan);
        const bool in_turn = pass == 0 ? before == 0 : before == feed->lines;
        EXPECT_EQ(!is_told(made.program, plan, "comes out of turn"), in_turn) << seed << " " << before << " " << pass;
        plan.actors.back().port += 100;
        EXPECT_FALSE(is_told(made.program, plan, "comes out of turn")) << "of another input";
        ++tried;
      }
    }
  });
  EXPECT_GT(tried, 60);
}

TEST(Faults, OutputsAreHandedOutToTheirEnd) {
  int tried = 0;
  for (const Mode mode : {Mode::fed, Mode::resident}) {
    for_each_faultless(60, mode, [&](uint64_t seed, const Faultless& made) {
      for (size_t n = 0; n < made.plan.actors.size(); ++n) {
        if (made.plan.actors[n].what != Actor::What::drain) continue;
        LinePlan plan = made.plan;
        const auto last =
            std::find_if(plan.steps.rbegin(), plan.steps.rend(), [&](const Step& step) { return Z(step.actor) == n; });
        ASSERT_NE(last, plan.steps.rend());
        plan.steps.erase(std::next(last).base());
        loop_steps(plan);
        EXPECT_TRUE(is_told(made.program, plan, "an output is not handed out to its end")) << seed;
        ++tried;
      }
    });
  }
  EXPECT_GT(tried, 10);
}

constexpr size_t kMostFaults = 8;  // that the checker tells

// What a kernel takes as a whole lies line after line and pixel after pixel.
TEST(Faults, WholeKernelsTakeOnePiece) {
  int moved = 0, pitched = 0;
  for_each_faultless(80, Mode::resident, [&](uint64_t seed, const Faultless& made) {
    for (const Actor& actor : made.plan.actors) {
      if (!actor.whole || actor.what != Actor::What::operation) continue;
      const program::Argument& a = made.program[actor.operations[0]].arguments[0];
      const LineView& view = made.plan.views[a.tensor.pos()];
      const Span lines = memory_lines(made.program, made.plan, a.tensor);
      if (view.memory < 0 || lines.end - lines.first < 2) continue;
      const std::string what = cat("'", made.program[a.tensor].name, "' is not in one piece");
      LinePlan plan = made.plan;
      Memory& memory = plan.memories[Z(view.memory)];
      if (memory.addressing != Addressing::table) {
        memory.table.clear();
        for (int64_t slot = 0; slot < memory.slots; ++slot)
          memory.table.push_back(memory.base + slot * memory.line_bytes);
        memory.addressing = Addressing::table;
        EXPECT_FALSE(is_told(made.program, plan, what)) << "the same places in a table";
      }
      memory.table[Z((lines.end - 1) % memory.slots)] = plan.arena;
      plan.arena += memory.line_bytes;
      EXPECT_TRUE(is_told(made.program, plan, what)) << seed;
      ++moved;
      if (!view.by_lines || made.program[a.tensor].geometry.lines < 2) continue;
      plan = made.plan;
      ++plan.views[a.tensor.pos()].pixel_pitch;
      if (check_plan(made.program, plan).size() == kMostFaults) continue;  // of what is written over other pixels
      EXPECT_TRUE(is_told(made.program, plan, what)) << seed;
      ++pitched;
    }
  });
  EXPECT_GT(moved, 10);
  EXPECT_GT(pitched, 10);
}

}  // namespace
}  // namespace tarn::stream
