// How many lines steps make: the plan taken is the one that the rule of plan_steps.h names among all that there are.
#include <gtest/gtest.h>

#include "plan_steps.h"
#include "report/time_figures.h"
#include "stream/tuning.h"
#include "support/text.h"
#include "unit/compile/joined.h"

namespace tarn {
namespace {

// Convolutions of a signal, whose lines are single pixels.
std::string signal(int steps, int channels, int layers) {
  std::string nodes, constants, last = "x";
  for (int i = 0; i < layers; ++i) {
    const int inputs = i == 0 ? 2 : channels, outputs = i + 1 == layers ? 2 : channels;
    const std::string w = cat("w", i), y = i + 1 == layers ? "y" : cat("t", i);
    constants += cat(i > 0 ? ", " : "", ones(w, cat(outputs, ", ", inputs, ", 3"), 3 * inputs * outputs));
    nodes += cat("  ", y, " = Conv <pads = [1, 1]>(", last, ", ", w, ")\n");
    last = y;
  }
  return cat("g (float[1, 2, ", steps, "] x) => (float[1, 2, ", steps, "] y) <", constants, "> {\n", nodes, "}");
}

struct Case {
  Analysis analysis;
  stream::SearchLimits limits;
  stream::JoinedLayers choice;
};

Case case_of(const std::string& text, stream::Mode mode = stream::Mode::resident,
             stream::Lines lines = stream::Lines::ring) {
  CompileOptions options;
  options.target = "cortex-m4";
  options.effort = 0;
  options.nhwc_inputs = options.nhwc_outputs = true;
  options.stream = {.mode = mode, .drain = mode == stream::Mode::fed};
  options.stream.lines = lines;
  Case made{analyze_ok(text, options), {}, {}};
  made.limits = {made.analysis.options.alignment, 0};
  std::vector<stream::OperationId> order;
  for (const schedule::Step& step : made.analysis.schedule.steps) order.push_back(step.operation);
  const std::vector<stream::Layers> layers =
      stream::layers_of(made.analysis.program, made.analysis.storage, order, made.analysis.options.share);
  made.choice = stream::finish(stream::choose(made.analysis.program, layers, made.analysis.options.stream, made.limits),
                               made.limits);
  return made;
}

// Of the plan with steps of up to so many lines.
struct Figures {
  int64_t at_once = 1, time = 0, arena = 0;
};

int64_t longest_step(const stream::LinePlan& plan) {
  int64_t longest = 1;
  for (const stream::Step& step : plan.steps) longest = std::max(longest, step.lines);
  return longest;
}

std::vector<Figures> figures_of(const Case& of) {
  std::vector<Figures> found;
  Analysis analysis = of.analysis;
  const stream::Options& options = analysis.options.stream;
  for (const int64_t at_once : {1, 2, 3, 4, 6, 9, 12, 15, 20}) {
    const std::optional<stream::JoinedLayers> longer =
        at_once == 1 ? of.choice : stream::with_longer_steps(of.choice, analysis.program, options, of.limits, at_once);
    if (!longer) return found;
    analysis.stream = stream::plan_of(*longer, options, of.limits);
    const int64_t longest = longest_step(*analysis.stream);
    EXPECT_LE(longest, at_once);
    EXPECT_GE(2 * longest, std::min(at_once, analysis.stream->actors.back().lines));
    const auto time = report::time_figures(analysis, "cortex-m4");
    if (!time || !time->instructions()) return found;
    found.push_back({longest, *time->instructions(), analysis.stream->arena});
  }
  return found;
}

int64_t price(const Figures& f) { return f.time * f.arena; }

// In whole numbers.
bool is_enough(const Figures& f, int64_t time_by_layers) { return f.time * 100 <= time_by_layers * 105; }

// How often each reason decided.
struct Reasons {
  int short_enough = 0, too_large = 0, better = 0, better_than_one = 0, saves = 0, for_a_goal = 0, no_bargain = 0;
};

Figures expected(const std::vector<Figures>& all, const Case& of, Reasons& why) {
  const bool goal = of.limits.budget > 0;
  Figures best = all.front();
  for (size_t i = 1; i < all.size(); ++i) {
    const Figures& f = all[i];
    if (is_enough(best, of.limits.time_by_layers)) {
      ++why.short_enough;
      break;
    }
    if (f.arena >= of.analysis.plan.arena || (goal && f.arena > of.limits.budget)) {
      ++why.too_large;
      continue;
    }
    if (f.time >= best.time) continue;
    if (goal) ++why.for_a_goal;
    else if (price(f) < price(best)) ++why.better;
    else if (is_enough(f, of.limits.time_by_layers) && price(f) < price(all.front())) ++why.better_than_one;
    else if (is_enough(f, of.limits.time_by_layers) && f.arena * 10 <= of.analysis.plan.arena * 9) ++why.saves;
    else {
      ++why.no_bargain;
      continue;
    }
    best = f;
  }
  return best;
}

// `all`: with the limits of the case.
void compare(Case& of, std::vector<Figures> all, Reasons& why) {
  ASSERT_EQ(all.size(), 9u);
  all.front().arena = of.choice.best.plan.arena;
  const Figures best = expected(all, of, why);
  of.analysis.stream.reset();
  plan_steps(of.choice, of.limits, of.analysis);
  ASSERT_TRUE(of.analysis.stream);
  EXPECT_EQ(longest_step(*of.analysis.stream), best.at_once)
      << of.limits.time_by_layers << " by layers, in " << of.analysis.plan.arena << ", goal " << of.limits.budget
      << ", one line a step: " << all.front().time << " in " << all.front().arena;
  EXPECT_EQ(of.analysis.stream->arena, best.arena);
}

constexpr int64_t kLarge = 1 << 20;

void set(Case& of, int64_t time_by_layers, int64_t layers_arena, int64_t budget, int64_t own_arena) {
  of.limits.time_by_layers = time_by_layers;
  of.analysis.time_of_layers.reset();
  of.limits.budget = budget;
  of.analysis.plan.arena = layers_arena;
  of.choice.best.plan.arena = own_arena;
}

// The longest time by layers beside which this one is too long.
int64_t just_too_short(int64_t time) { return (time * 100 - 1) / 105; }

// A signal of whose times by lines one is to the instruction what there may be; `first`: that of one line a step.
Case exact_case(bool first, Figures& exact) {
  for (int steps = 14; steps < 120; ++steps) {
    Case of = case_of(signal(steps, 2, 2));
    const std::vector<Figures> all = figures_of(of);
    for (size_t i = first ? 0 : 2; i < (first ? 1 : all.size()); ++i) {
      exact = all[i];
      if (exact.time % 21 == 0 && (first || exact.time < all[1].time)) return of;
    }
  }
  ADD_FAILURE() << "none";
  return {};
}

TEST(Steps, AreAsLongAsTheTimeAndTheArenaAsk) {
  Reasons why;
  for (const auto& [steps, mode] : {std::pair{17, stream::Mode::resident}, {14, stream::Mode::fed}}) {
    Case of = case_of(signal(steps, 2, 2), mode);
    const std::vector<Figures> all = figures_of(of);
    ASSERT_EQ(all.size(), 9u);
    const int64_t arena = all[0].arena;
    for (const Figures& f : all) {
      for (const int64_t more : {0, 1}) {
        set(of, just_too_short(f.time) + more, kLarge, 0, arena * 2);
        compare(of, all, why);
      }
      if (mode == stream::Mode::fed) continue;
      // Where the bargain is the same but for a byte.
      for (const int64_t more : {0, 1}) {
        set(of, 1, kLarge, 0, price(f) / all[0].time + more);
        compare(of, all, why);
        set(of, just_too_short(f.time) + 1, kLarge, 0, price(f) / all[0].time + more);
        compare(of, all, why);
        // What is as large as the plan by layers, or larger than the goal, is of no use.
        set(of, 1, f.arena + more, 0, arena * 8);
        compare(of, all, why);
        set(of, 1, f.arena + more, f.arena + 1, arena);
        compare(of, figures_of(of), why);
        set(of, 1, kLarge, f.arena - more, arena);
        compare(of, figures_of(of), why);
      }
    }
  }
  for (const int count :
       {why.short_enough, why.too_large, why.better, why.better_than_one, why.saves, why.for_a_goal, why.no_bargain})
    EXPECT_GT(count, 5);
}

TEST(Steps, AreLongEnoughToTheInstruction) {
  for (const bool first : {true, false}) {
    Figures exact;
    Reasons why;
    Case of = exact_case(first, exact);
    const std::vector<Figures> all = figures_of(of);
    const int64_t arena = of.choice.best.plan.arena;
    for (const int64_t less : {0, 1}) {
      for (const int64_t times : {1, 2, 4}) {
        set(of, exact.time / 21 * 20 - less, kLarge, 0, arena * times);
        compare(of, all, why);
      }
    }
  }
}

// Where nothing else speaks for it, a longer step may take just so many bytes.
TEST(Steps, MayTakeAShareOfTheArenaToTheByte) {
  Reasons why;
  for (int channels = 2; channels < 12 && why.saves < 3; ++channels) {
    Case of = case_of(signal(17, channels, 2));
    const std::vector<Figures> all = figures_of(of);
    ASSERT_EQ(all.size(), 9u);
    for (size_t i = 1; i < all.size(); ++i) {
      if (all[i].arena % 9 != 0 || all[i].time >= all[0].time) continue;
      for (const int64_t less : {0, 1}) {
        set(of, just_too_short(all[i].time) + 1, all[i].arena / 9 * 10 - less, 0, 1);
        compare(of, all, why);
      }
    }
  }
  EXPECT_GE(why.saves, 3);
  EXPECT_GE(why.no_bargain, 3);
}

// Lines of one pixel, several of them, that an operation makes line by line and alone.
TEST(Steps, SignalsAreLinesOfOnePixel) {
  const auto makes = [](std::vector<program::Geometry> results, bool by_lines) {
    program::Program program;
    program.operations.resize(2);
    program::Operation& o = program.operations.back();
    if (by_lines) o.line_form.emplace();
    for (const program::Geometry& g : results) {
      program::Tensor t;
      t.geometry = g;
      program.tensors.push_back(t);
      o.arguments.emplace_back().role = program::Argument::Role::write;
      o.arguments.back().tensor = program::TensorId(program.tensors.size() - 1);
    }
    return has_signals(program);
  };
  EXPECT_TRUE(makes({{2, 1, 3}}, true));
  EXPECT_FALSE(makes({{2, 1, 3}}, false));
  EXPECT_FALSE(makes({{1, 1, 3}}, true));
  EXPECT_FALSE(makes({{2, 2, 3}}, true));
  EXPECT_FALSE(makes({}, true));
  EXPECT_FALSE(makes({{2, 1, 3}, {2, 1, 3}}, true));
}

int64_t longest(Case& of) {
  of.analysis.stream.reset();
  plan_steps(of.choice, of.limits, of.analysis);
  return of.analysis.stream ? longest_step(*of.analysis.stream) : 0;
}

// One line a step where no time is known.
TEST(Steps, AreShortWhereTimeIsNotModelled) {
  Case of = case_of(signal(20, 2, 2));
  set(of, 1, kLarge, kLarge, of.choice.best.plan.arena);
  EXPECT_GT(longest(of), 1);
  of.limits.time_by_layers = 0;
  EXPECT_EQ(longest(of), 1);
  of.limits.time_by_layers = 1;
  of.analysis.options.target = "generic";
  EXPECT_EQ(longest(of), 1);

  Case tables = case_of(signal(20, 2, 2), stream::Mode::resident, stream::Lines::table);
  set(tables, 1, kLarge, kLarge, tables.choice.best.plan.arena);
  EXPECT_EQ(longest(tables), 1);
}

TEST(Steps, AreShortWhereNoKernelMakesSeveralLines) {
  Case image = case_of("g (float[1, 2, 9, 9] x) => (float[1, 2, 9, 9] y) <" + ones("w", "2, 2, 3, 3", 36) +
                       "> { y = Conv <pads = [1, 1, 1, 1]>(x, w) }");
  set(image, 1, kLarge, kLarge, image.choice.best.plan.arena);
  EXPECT_TRUE(figures_of(image).size() == 1 && longest(image) == 1);

  Case of = case_of(signal(20, 2, 2));
  set(of, 1, kLarge, kLarge, of.choice.best.plan.arena);
  for (program::Operation& operation : of.analysis.program.operations) {
    if (!operation.line_form || operation.line_form->calls.size() != 1) continue;
    operation.line_form->together = operation.line_form->calls.front();
    operation.line_form->together->kernel = "unknown";
    operation.line_form->joins = false;
  }
  EXPECT_EQ(figures_of(of).size(), 1u);  // the others are not modelled
  EXPECT_EQ(longest(of), 1);
}

// An analysis by layers of its own may have told it; else it is that of the plan.
TEST(Steps, TimeByLayersIsThatOfThePlanByLayers) {
  Case of = case_of(signal(20, 2, 2));
  ASSERT_TRUE(of.analysis.time_of_layers);
  EXPECT_EQ(time_by_layers(of.analysis), of.analysis.time_of_layers);
  of.analysis.time_of_layers.reset();
  EXPECT_TRUE(of.analysis.stream);
  const std::optional<int64_t> time = time_by_layers(of.analysis);
  ASSERT_TRUE(of.analysis.stream);
  EXPECT_EQ(longest_step(*of.analysis.stream), 1);
  Analysis layers = of.analysis;
  layers.stream.reset();
  EXPECT_EQ(time, report::time_figures(layers, "cortex-m4")->instructions());
  EXPECT_NE(time, report::time_figures(of.analysis, "cortex-m4")->instructions());
  int changed = 0;
  for (size_t i = 0; i < layers.program.operations.size(); ++i) {
    Analysis other = layers;
    program::Operation& operation = other.program.operations[i];
    if (!operation.line_form) continue;
    operation.line_form->calls.back().kernel = "unknown";
    EXPECT_EQ(time_by_layers(other), time) << "lines do not count";
    operation.kernel = "unknown";
    EXPECT_FALSE(time_by_layers(other));
    ++changed;
  }
  EXPECT_GT(changed, 1);
  // An operation that does not run takes none.
  layers.program.operations.push_back(layers.program.operations.front());
  program::Operation& left_out = layers.program.operations.back();
  left_out.line_form.emplace();
  left_out.line_form->calls.emplace_back().kernel = left_out.kernel = "unknown";
  EXPECT_EQ(time_by_layers(layers), time);
}

}  // namespace
}  // namespace tarn
