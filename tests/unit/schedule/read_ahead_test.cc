#include "schedule/read_ahead.h"

#include <gtest/gtest.h>

namespace tarn::schedule {
namespace {

using program::OperationId;

// Two steps that find their weights in a tensor of the arena.
struct TwoSteps {
  program::Program program;
  Schedule schedule;

  TwoSteps() {
    for (size_t i = 0; i < 2; ++i) {
      program.operations.push_back({});
      program.operations.back().staging = program::Staging{};
      schedule.steps.push_back({OperationId(i)});
    }
  }
  bool ahead(size_t step = 1) const { return is_read_ahead(program, schedule, step); }
};

TEST(ReadAhead, TheStepBeforeBeginsToRead) {
  TwoSteps two;
  EXPECT_TRUE(two.ahead());
  EXPECT_FALSE(two.ahead(0));
  two.program.operations[0].staging.reset();  // the step before needs no weights itself
  EXPECT_TRUE(two.ahead());
}

// Each of these alone is enough for a step to read its weights itself.
TEST(ReadAhead, EachObstacle) {
  const auto without = [](auto change) {
    TwoSteps two;
    change(two);
    return two.ahead();
  };
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.operations[1].staging.reset(); }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.operations[1].staging->alone = true; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.operations[0].staging->alone = true; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.operations[0].control = program::Control::branch; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.operations[0].control = program::Control::loop; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.schedule.steps[0].parent = 0; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.schedule.steps[1].parent = 0; }));
  EXPECT_FALSE(without([](TwoSteps& t) { t.program.codes = program::WeightId(size_t{0}); }));
}

}  // namespace
}  // namespace tarn::schedule
