// Steps of several lines: random networks whose kernels all make lines together run on tagged bytes, and plans whose
// steps or rings are wrong by a line are found out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "digest_plan.h"
#include "random_net.h"
#include "stream/check/check_plan.h"
#include "stream/make_plan.h"
#include "stream/network/join_lines.h"
#include "support/text.h"
#include "tag_executor.h"

namespace tarn::stream {
namespace {

// Every line form has a kernel that makes several lines.
Program together(uint64_t seed) {
  Program program = RandomNet(seed, seed % 2 == 0 ? RandomNet::dense : RandomNet::none).make();
  for (program::Operation& operation : program.operations) {
    if (!operation.line_form || operation.line_form->calls.size() > 1) continue;
    operation.line_form->calls.resize(1);
    operation.line_form->together = operation.line_form->calls.front();
  }
  return program;
}

Options options_of(uint64_t seed) {
  Options options;
  options.mode = seed % 3 == 0 ? Mode::fed : Mode::resident;
  options.drain = seed % 5 == 0;
  options.line_buffers = seed % 4 == 0;
  return options;
}

std::vector<OperationId> order_of(const Program& program, const lifetimes::Storage& storage) {
  std::vector<OperationId> order;
  for (OperationId id : program.main) {
    if (!storage.left_out[id.pos()]) order.push_back(id);
  }
  return order;
}

struct Joined {
  Options options;
  JoinedLayers choice;
};

Joined joined_of(const Program& program, uint64_t seed) {
  Joined planned{options_of(seed), {}};
  const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
  planned.choice =
      finish(choose(program, layers_of(program, storage, order_of(program, storage), {}), planned.options, {4, 0}),
             SearchLimits{4, 0});
  return planned;
}

// Nothing where no step gets longer.
std::optional<LinePlan> longer_plan(const Program& program, const Joined& planned, int64_t at_once) {
  const std::optional<JoinedLayers> choice =
      with_longer_steps(planned.choice, program, planned.options, {4, 0}, at_once);
  if (!choice) return {};
  return plan_of(*choice, planned.options, {4, 0});
}

int longer_steps(const LinePlan& plan) {
  int longer = 0;
  std::vector<int64_t> done(plan.actors.size(), 0);
  for (const Step& step : plan.steps) {
    int64_t& made = done[static_cast<size_t>(step.actor)];
    EXPECT_EQ(step.first_line, made);
    EXPECT_EQ(step.lines, lines_of_step(plan.actors[static_cast<size_t>(step.actor)], made));
    made += step.lines;
    longer += step.lines > 1;
  }
  return longer;
}

TEST(LongerSteps, RunOnTaggedBytes) {
  int longer = 0, larger = 0;
  tarn::test::Digest digest;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    const Program program = together(seed);
    const Joined planned = joined_of(program, seed);
    for (const int64_t at_once : {2, 3, 5}) {
      const std::optional<LinePlan> longer_found = longer_plan(program, planned, at_once);
      if (!longer_found) continue;
      const LinePlan& plan = *longer_found;
      const std::vector<std::string> faults = check_plan(program, plan);
      ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults.front() << "\n" << dump(program);
      ASSERT_EQ(TagExecutor(program, plan).run(), 0) << "seed " << seed << "\n" << dump(program);
      EXPECT_GE(plan.arena, plan.bound) << seed;
      add(digest, plan);
      longer += longer_steps(plan);
      larger += plan.arena > planned.choice.best.plan.arena;
      for (const Actor& actor : plan.actors) {
        EXPECT_LE(actor.at_once, at_once);
        EXPECT_TRUE(actor.at_once == 1 || !(actor.whole || actor.accumulate || actor.line_buffer)) << seed;
      }
    }
  }
  EXPECT_GT(longer, 300);
  EXPECT_GT(larger, 20);
  EXPECT_EQ(digest.value(), 1805525887713285339u);
}

// Which steps get longer, and that nothing is laid over what such a step reads. Networks in which some kernels make one
// line, or are called several times for one, and some lines are single pixels.
TEST(LongerSteps, AreThoseThatTheRuleSays) {
  std::map<std::string, int> reasons;
  int distances = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Program program = together(seed);
    for (size_t i = 0; i < program.operations.size(); ++i) {
      program::Operation& operation = program.operations[i];
      if (!operation.line_form) continue;
      if (i % 3 == 0) operation.line_form->together.reset();
      if (i % 5 == 4 && !operation.line_form->accumulate)
        operation.line_form->calls.push_back(operation.line_form->calls.front());
    }
    const Options options = options_of(seed);
    const lifetimes::Storage storage = lifetimes::assign_storage(program, {}, false);
    const std::vector<OperationId> order = order_of(program, storage);
    const Net single = make_net(program, storage, order, options, {});
    for (const int64_t at_once : {1, 2, 3, 50}) {
      const Net net = make_net(program, storage, order, options, {}, at_once);
      ASSERT_EQ(net.nodes.size(), single.nodes.size());
      for (size_t n = 0; n < net.nodes.size(); ++n) {
        const NetNode& node = net.nodes[n];
        const program::Operation* o =
            node.actor.what == Actor::What::operation ? &program[node.actor.operations.front()] : nullptr;
        const auto is_one = [&] {
          if (!o) return "a port";
          if (node.actor.whole) return "whole";
          if (node.actor.accumulate) return "sums";
          if (o->line_form->calls.size() > 1) return "several calls";
          if (!o->line_form->together && program[only_result(*o)].geometry.pixels > 1) return "one by one";
          return at_once == 1 ? "not asked for" : "";
        };
        const std::string why = is_one();
        ++reasons[why];
        EXPECT_EQ(node.actor.at_once, why.empty() ? std::min(at_once, node.lines) : 1) << seed << " " << n;
        for (size_t a = 0; a < node.reads.size(); ++a) {
          const std::optional<int64_t> before = single.nodes[n].reads[a].overlap_distance;
          EXPECT_EQ(node.reads[a].overlap_distance, why.empty() ? std::nullopt : before) << seed << " " << n;
          distances += why.empty() && before;
        }
      }
    }
  }
  for (const auto& [why, times] : reasons) EXPECT_GT(times, 20) << why;
  EXPECT_EQ(reasons.size(), 7u);
  EXPECT_GT(distances, 50);
}

// Plans of up to three lines a step, of so many networks as have one: f(seed, program, plan).
template <typename F>
void for_each_longer(uint64_t seeds, F f) {
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const Program program = together(seed);
    const std::optional<LinePlan> plan = longer_plan(program, joined_of(program, seed), 3);
    if (plan) f(seed, program, *plan);
  }
}

TEST(LongerSteps, ShorterRingsAreFound) {
  int rings = 0, told = 0;
  for_each_longer(24, [&](uint64_t seed, const Program& program, const LinePlan& plan) {
    for (size_t m = 0; m < plan.memories.size(); ++m) {
      const Memory& memory = plan.memories[m];
      if (memory.addressing != Addressing::ring || memory.slots < 2 || memory.holds != Memory::Holds::tensor) continue;
      LinePlan wrong = plan;
      --wrong.memories[m].slots;
      EXPECT_FALSE(check_plan(program, wrong).empty()) << "seed " << seed << " memory " << m;
      ++rings;
      told += TagExecutor(program, wrong).run() > 0;
    }
  });
  EXPECT_GT(rings, 20);
  EXPECT_GT(told, rings * 8 / 10);
}

// What the kernel is told of the number of lines is what the steps say.
TEST(LongerSteps, OtherNumbersOfLinesAreFound) {
  int found = 0;
  for_each_longer(8, [&](uint64_t seed, const Program& program, const LinePlan& plan) {
    for (size_t n = 0; n < plan.actors.size(); ++n) {
      if (plan.actors[n].at_once == 1) continue;
      for (const int64_t other : {int64_t{1}, plan.actors[n].at_once - 1, plan.actors[n].at_once + 1}) {
        if (other >= plan.actors[n].lines) continue;
        LinePlan wrong = plan;
        wrong.actors[n].at_once = other;
        EXPECT_FALSE(check_plan(program, wrong).empty()) << "seed " << seed << " actor " << n << " lines " << other;
        ++found;
      }
    }
  });
  EXPECT_GT(found, 10);
}

// Only what makes its lines one by one makes several of them together.
TEST(LongerSteps, OfOtherActorsAreFound) {
  int found = 0;
  for_each_longer(8, [&](uint64_t seed, const Program& program, const LinePlan& plan) {
    for (size_t n = 0; n < plan.actors.size(); ++n) {
      if (plan.actors[n].at_once == 1) continue;
      for (int kind = 0; kind < 3; ++kind) {
        LinePlan wrong = plan;
        Actor& actor = wrong.actors[n];
        actor.whole = kind == 0;
        actor.accumulate = kind == 1;
        actor.gathered = kind == 2 ? 1 : 0;
        const std::vector<std::string> faults = check_plan(program, wrong);
        found += std::any_of(faults.begin(), faults.end(),
                             [](const std::string& f) { return f.find("makes several lines") != f.npos; });
        ASSERT_FALSE(faults.empty()) << seed << " " << n << " " << kind;
      }
    }
  });
  EXPECT_GT(found, 40);
  EXPECT_EQ(found % 3, 0);
}

// A ring that is shorter than a step of it is told as such, once for each line that is written over in its own step.
TEST(LongerSteps, LinesOfAStepLieApart) {
  int told = 0;
  for_each_longer(24, [&](uint64_t seed, const Program& program, const LinePlan& plan) {
    for (const Actor& actor : plan.actors) {
      if (actor.at_once == 1) continue;
      const int m = plan.views[only_result(program[actor.operations[0]]).pos()].memory;
      if (m < 0 || plan.memories[Z(m)].addressing != Addressing::ring) continue;
      LinePlan wrong = plan;
      wrong.memories[Z(m)].slots = actor.at_once - 1;
      const std::vector<std::string> faults = check_plan(program, wrong);
      EXPECT_TRUE(std::any_of(faults.begin(), faults.end(), [](const std::string& f) {
        return f.find("lines made together share bytes") != f.npos;
      })) << seed;
      ++told;
    }
  });
  EXPECT_GT(told, 10);
}

// Behind the last line no step makes none.
TEST(LongerSteps, StepsWithoutLinesAreFound) {
  int found = 0;
  for_each_longer(8, [&](uint64_t seed, const Program& program, const LinePlan& plan) {
    for (size_t n = 0; n < plan.actors.size(); ++n) {
      if (plan.actors[n].at_once == 1) continue;
      LinePlan wrong = plan;
      wrong.steps.push_back({static_cast<int>(n), wrong.actors[n].lines, 0});
      wrong.loops.push_back({{static_cast<int>(n)}, 1});
      const std::vector<std::string> faults = check_plan(program, wrong);
      ASSERT_EQ(faults.size(), 1u) << "seed " << seed << " actor " << n;
      EXPECT_NE(faults[0].find(cat("makes line ", wrong.actors[n].lines)), std::string::npos) << faults[0];
      ++found;
    }
  });
  EXPECT_GT(found, 10);
}

// What the checker asks of lines that are made as one, in other words: all steps are of as many, nothing stands between
// two lines that a step makes or reads as they are, and windows are read from rings.
bool are_one(const Program& program, const LinePlan& plan, const Actor& actor) {
  const program::Operation& operation = program[actor.operations.front()];
  if (actor.lines % actor.at_once != 0 || !lines_join(program, plan.storage, operation)) return false;
  for (const program::Argument& a : operation.arguments) {
    const bool made = a.role == program::Argument::Role::write;
    if (!made && !(a.role == program::Argument::Role::read && a.walk)) continue;
    const LineView& view = plan.views[a.tensor.pos()];
    const Memory& memory = plan.memories[Z(view.memory)];
    if (!made && !a.walk->identity) {
      if (memory.addressing == Addressing::table) return false;
      continue;
    }
    for (int64_t l = 0; l < actor.lines; ++l) {
      const int64_t line = l + (actor.flat ? 0 : view.first_line);
      if (l % actor.at_once != 0 && memory.address(line) - memory.address(line - 1) != memory.line_bytes) return false;
    }
  }
  return true;
}

// Signals: lines of one pixel, which kernels take for the pixels of one line.
TEST(LongerSteps, LinesThatStandSideBySideAreMadeAsOne) {
  int joined = 0, windows = 0, wrong_ones = 0, right = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Program program = RandomNet(seed, RandomNet::dense, true).make();
    for (program::Operation& operation : program.operations) {
      if (!operation.line_form || operation.line_form->calls.size() > 1) continue;
      operation.line_form->calls.resize(1);
      operation.line_form->joins = seed % 4 != 0;
    }
    const std::optional<LinePlan> found =
        longer_plan(program, joined_of(program, seed), 2 + static_cast<int>(seed % 5));
    if (!found) continue;
    const LinePlan& plan = *found;
    ASSERT_EQ(check_plan(program, plan), std::vector<std::string>{}) << seed << "\n" << dump(program);
    ASSERT_EQ(TagExecutor(program, plan).run(), 0) << seed << "\n" << dump(program);
    for (size_t n = 0; n < plan.actors.size(); ++n) {
      const Actor& actor = plan.actors[n];
      if (actor.at_once == 1) continue;
      joined += actor.joined;
      windows += actor.joined && reads_windows(program[actor.operations.front()]);
      EXPECT_TRUE(!actor.joined || are_one(program, plan, actor)) << seed << " " << n;
      LinePlan other = plan;
      if (actor.joined) {  // something else stands before each line that is made
        other.views[only_result(program[actor.operations.front()]).pos()].offset = 1;
        const std::vector<std::string> faults = check_plan(program, other);
        EXPECT_TRUE(std::any_of(
            faults.begin(), faults.end(),
            [](const std::string& fault) { return fault.find("do not stand side by side") != std::string::npos; }))
            << seed << " " << n;
        other = plan;
      }
      other.actors[n].joined = true;
      const bool is_right = are_one(program, plan, actor);
      EXPECT_EQ(check_plan(program, other).empty(), is_right) << seed << " " << n;
      (is_right ? right : wrong_ones) += !actor.joined;
    }
  }
  for (const int count : {joined, windows, wrong_ones}) EXPECT_GT(count, 5);
  EXPECT_GT(right, 0);
}

// Images: layers whose kernels say so and take pixel by pixel join their lines; windows and elementwise ones do not, to
// which it makes no difference.
TEST(LongerSteps, LongerLinesStandSideBySideToo) {
  int joined = 0, windows = 0, elementwise = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Program program = RandomNet(seed, RandomNet::dense).make();
    for (size_t i = 0; i < program.operations.size(); ++i) {
      program::Operation& operation = program.operations[i];
      if (!operation.line_form || operation.line_form->calls.size() > 1) continue;
      operation.line_form->calls.resize(1);
      operation.line_form->joins = i % 3 > 0;
    }
    const std::optional<LinePlan> found =
        longer_plan(program, joined_of(program, seed), 2 + static_cast<int>(seed % 5));
    if (!found) continue;
    ASSERT_EQ(check_plan(program, *found), std::vector<std::string>{}) << seed << "\n" << dump(program);
    ASSERT_EQ(TagExecutor(program, *found).run(), 0) << seed << "\n" << dump(program);
    for (const Actor& actor : found->actors) {
      if (actor.what != Actor::What::operation || actor.whole || actor.line_buffer) continue;
      const program::Operation& operation = program[actor.operations.front()];
      const TensorId made = only_result(operation);
      if (!made.valid() || program[made].geometry.pixels == 1) continue;
      joined += actor.joined;
      if (reads_windows(operation)) ++windows;
      else if (!operation.line_form->joins) ++elementwise;
      else continue;
      EXPECT_FALSE(actor.joined) << seed;
      EXPECT_EQ(actor.at_once, 1) << seed;
    }
  }
  for (const int count : {joined, windows, elementwise}) EXPECT_GT(count, 20);
}

// One line a step where nothing makes more.
TEST(LongerSteps, NoneWithoutKernels) {
  const Program program = RandomNet(7).make();
  const Joined planned = joined_of(program, 7);
  EXPECT_FALSE(with_longer_steps(planned.choice, program, planned.options, {4, 0}, 1));
  for (const Step& step : planned.choice.best.steps) EXPECT_EQ(step.lines, 1);
}

}  // namespace
}  // namespace tarn::stream
