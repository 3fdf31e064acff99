// Budgets of time: what an estimate decides, and what it leaves open.
#include "advice/time_budget.h"

#include <gtest/gtest.h>

namespace tarn::advice {
namespace {

// Three steps on `target`, off by 4 % at most.
report::Report report_of(const std::string& target) {
  report::Report report;
  report.time.emplace();
  report.time->target = target;
  report.time->worst_error = 4;
  const int64_t instructions[] = {100, 700, 200};
  for (const int64_t n : instructions) {
    report::StepRow row;
    row.step = static_cast<int64_t>(report.steps.size());
    row.kernel = "kernel" + std::to_string(n);
    row.instructions = n;
    report.time->steps.push_back(report::StepTime{n, {}, ""});
    report.time->modelled += n;
    report.steps.push_back(row);
  }
  return report;
}

TimeLimits instructions(int64_t n) { return {n, {}, {}}; }

TEST(TimeBudget, WithoutOneNothingIsSaid) {
  report::Report report = report_of("cortex-m4");
  EXPECT_TRUE(check_time({}, "net.onnx", report).empty());
  EXPECT_FALSE(report.instruction_budget);
}

TEST(TimeBudget, OneThatHoldsIsNotProved) {
  report::Report report = report_of("cortex-m4");
  EXPECT_TRUE(check_time(instructions(1000), "net.onnx", report).empty());
  ASSERT_TRUE(report.instruction_budget);
  EXPECT_TRUE(report.instruction_budget->fits);
  EXPECT_FALSE(report.instruction_budget->proved);
}

TEST(TimeBudget, WithinTheEstimatesErrorNothingIsProved) {
  report::Report report = report_of("cortex-m4");
  const Diagnostics near = check_time(instructions(961), "net.onnx", report);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_EQ(near[0].code, "E314");
  const Diagnostics far = check_time(instructions(959), "net.onnx", report);
  ASSERT_EQ(far.size(), 1u);
  EXPECT_EQ(far[0].code, "E313");
  EXPECT_TRUE(report.over_time());
  EXPECT_TRUE(report.instruction_budget->proved);
}

TEST(TimeBudget, TheSlowestStepsAreNamedFirst) {
  report::Report report = report_of("cortex-m4");
  const std::string text = check_time(instructions(500), "net.onnx", report)[0].message;
  const size_t slowest = text.find("kernel700"), second = text.find("kernel200"), third = text.find("kernel100");
  ASSERT_NE(third, std::string::npos) << text;
  EXPECT_LT(slowest, second);
  EXPECT_LT(second, third);
}

TEST(TimeBudget, WithoutCyclesTimeIsThatOfOneInstructionACycle) {
  const TimeLimits limits{{}, 50'000, 16'000'000};  // 50 us at 16 MHz
  EXPECT_EQ(limits.cycles(), 800);
  EXPECT_EQ((TimeLimits{{}, 1'000'000'007, 3}.cycles()), 3);
  EXPECT_FALSE((TimeLimits{700, {}, 16'000'000}.cycles()));
  report::Report report = report_of("cortex-m4");
  const Diagnostics faults = check_time(limits, "net.onnx", report);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "E313");
  ASSERT_TRUE(report.time_budget);
  EXPECT_EQ(report.time_budget->used, 62'500);
  EXPECT_FALSE(report.instruction_budget);
}

// Cycles decide, and what they alone say is not proved.
TEST(TimeBudget, CyclesDecideWhereTheyAreKnown) {
  report::Report report = report_of("cortex-m4");
  report.time->modelled_cycles = 1500;
  EXPECT_TRUE(check_time({{}, 100'000, 16'000'000}, "net.onnx", report).empty());  // 1600
  ASSERT_TRUE(report.time_budget);
  EXPECT_TRUE(report.time_budget->fits);
  EXPECT_EQ(report.time_budget->used, 93'750);
  const Diagnostics over = check_time({{}, 90'000, 16'000'000}, "net.onnx", report);  // 1440
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].code, "E314");
  EXPECT_NE(over[0].message.find("about 1 500 cycles"), std::string::npos) << over[0].message;
  EXPECT_EQ(check_time({{}, 50'000, 16'000'000}, "net.onnx", report)[0].code,
            "E313");  // 800: too few instructions even
  // Of a run with a tenth more instructions.
  EXPECT_EQ(check_executed({{}, 100'000, 16'000'000}, "net.onnx", 1100, report)[0].code, "E314");
}

TEST(TimeBudget, BothLimitsHaveToHold) {
  report::Report report = report_of("cortex-m4");
  report.time->modelled_cycles = 1500;
  const TimeLimits limits{990, 100'000, 16'000'000};
  EXPECT_EQ(check_time(limits, "net.onnx", report).size(), 1u);
  EXPECT_FALSE(report.instruction_budget->fits);
  EXPECT_TRUE(report.time_budget->fits);
  EXPECT_FALSE(limits.keeps(*report.time));
}

// Two instructions in a cycle: more instructions than cycles are no proof.
TEST(TimeBudget, CoresThatPairInstructionsProveNothingOfTime) {
  report::Report report = report_of("cortex-m7");
  const Diagnostics time = check_time({{}, 50'000, 16'000'000}, "net.onnx", report);
  ASSERT_EQ(time.size(), 1u);
  EXPECT_EQ(time[0].code, "E314");
  const Diagnostics count = check_time(instructions(800), "net.onnx", report);
  ASSERT_EQ(count.size(), 1u);
  EXPECT_EQ(count[0].code, "E313");
}

TEST(TimeBudget, WhatIsNotModelledDoesNotFit) {
  report::Report report = report_of("cortex-m4");
  report.time->missing_steps = 1;
  const Diagnostics open = check_time(instructions(2000), "net.onnx", report);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].code, "E314");
  EXPECT_FALSE(report.instruction_budget->fits);
  // What is known alone is over.
  EXPECT_EQ(check_time(instructions(900), "net.onnx", report)[0].code, "E313");
  report.time.reset();
  EXPECT_EQ(check_time(instructions(2000), "net.onnx", report)[0].code, "E314");
}

TEST(TimeBudget, ARunThatWasCountedDecides) {
  report::Report report = report_of("cortex-m4");
  EXPECT_FALSE(check_time(instructions(990), "net.onnx", report).empty());
  EXPECT_TRUE(check_executed(instructions(990), "net.onnx", 985, report).empty());
  EXPECT_TRUE(report.instruction_budget->fits);
  EXPECT_TRUE(report.instruction_budget->proved);
  const Diagnostics over = check_executed(instructions(990), "net.onnx", 991, report);
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].code, "E313");
}

}  // namespace
}  // namespace tarn::advice
