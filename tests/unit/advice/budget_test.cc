// Budgets: which diagnostic is given, and what is proved.
#include "advice/budget.h"

#include <gtest/gtest.h>

namespace tarn::advice {
namespace {

report::Report report_with(int64_t arena, int64_t floor) {
  report::Report report;
  report.arena = arena;
  report.floor = floor;
  return report;
}

TEST(Budget, NothingIsSaidOfABudgetThatHolds) {
  report::Report report = report_with(1000, 1000);
  EXPECT_TRUE(check_budgets({1000, {}}, "net.onnx", report).empty());
}

TEST(Budget, OneByteTooLittleIsTold) {
  report::Report report = report_with(1000, 1000);
  const Diagnostics faults = check_budgets({999, {}}, "net.onnx", report);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "E301");
  ASSERT_TRUE(report.ram_budget);
  EXPECT_FALSE(report.ram_budget->fits);
}

TEST(Budget, BetweenTheFloorAndThePlanNothingIsProved) {
  report::Report report = report_with(1000, 900);
  const Diagnostics faults = check_budgets({950, {}}, "net.onnx", report);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "E302");
}

TEST(Budget, AHintNeedsAdviceThatFits) {
  EXPECT_NE(hint_of({}), "");
  report::Advice helps, does_not;
  helps.fits = true;
  EXPECT_NE(hint_of({helps}), hint_of({does_not}));
}

}  // namespace
}  // namespace tarn::advice
