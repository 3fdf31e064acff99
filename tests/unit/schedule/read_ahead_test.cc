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

// Six steps, of which the first, the fourth and the sixth read weights.
struct SixSteps {
  program::Program program;
  Schedule schedule;

  SixSteps() {
    for (size_t i = 0; i < 6; ++i) {
      program.operations.push_back({});
      if (i == 0 || i == 3 || i == 5) staged(i);
      schedule.steps.push_back({OperationId(i)});
    }
  }
  program::Staging& staged(size_t step) {
    std::optional<program::Staging>& staging = program.operations[step].staging;
    if (!staging) staging = program::Staging{};
    return *staging;
  }
  size_t begin(size_t step) const { return read_begin(program, schedule, step); }
};

TEST(ReadAhead, EarlyIsAsSoonAsNoOtherTransferGoesOn) {
  SixSteps six;
  EXPECT_EQ(six.begin(3), 2u);
  six.staged(3).early = true;
  EXPECT_EQ(six.begin(3), 0u);
  EXPECT_EQ(begun_by(six.program, six.schedule, 0), 3u);
  EXPECT_EQ(begun_by(six.program, six.schedule, 2), std::nullopt);
  EXPECT_EQ(six.begin(5), 4u);
  six.staged(5).early = true;
  EXPECT_EQ(six.begin(5), 3u);
  // No room for the weights of both: behind the step that reads its own.
  six.staged(0).alone = true;
  EXPECT_EQ(six.begin(3), 1u);
  six.staged(3).alone = true;
  EXPECT_EQ(six.begin(3), 1u);
  six.staged(0).alone = false;
  EXPECT_EQ(six.begin(3), 1u);
  six.staged(3).early = false;
  EXPECT_EQ(six.begin(3), 3u);
}

TEST(ReadAhead, EarlyIsBehindLoopsAndBranches) {
  SixSteps six;
  six.staged(3).early = true;
  six.program.operations[1].control = program::Control::loop;
  EXPECT_EQ(six.begin(3), 2u);
  six.program.operations[2].control = program::Control::branch;
  EXPECT_EQ(six.begin(3), 3u);
}

}  // namespace
}  // namespace tarn::schedule
