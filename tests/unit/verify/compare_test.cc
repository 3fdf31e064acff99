#include "verify/compare.h"

#include <gtest/gtest.h>

#include <limits>

#include "sample.h"
#include "tensor/numeric.h"

namespace tarn::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<uint8_t> stored(DType type, const std::vector<double>& values) {
  std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(type, static_cast<int64_t>(values.size()))));
  for (size_t i = 0; i < values.size(); ++i) write_double(type, bytes.data(), static_cast<int64_t>(i), values[i]);
  return bytes;
}

Comparison compared(DType type, const std::vector<double>& got, const std::vector<double>& want) {
  const Shape got_shape{static_cast<int64_t>(got.size())}, want_shape{static_cast<int64_t>(want.size())};
  const Port port = {"y", "y", "", {type, want_shape}, {}};
  return compare(port, {stored(type, got), got_shape}, {stored(type, want), want_shape});
}

TEST(Compare, FollowsTheRuleOfTheBackendTests) {
  EXPECT_EQ(compared(DType::float32, {1, 2, 3}, {1, 2, 3}).mismatches, 0);
  EXPECT_EQ(compared(DType::float64, {1.00099}, {1}).mismatches, 0);
  const Comparison off = compared(DType::float64, {1.0015, 5, -7.1}, {1, 5, -7});
  EXPECT_EQ(off.mismatches, 2);
  EXPECT_NEAR(off.max_abs, 0.1, 1e-12);
  EXPECT_NEAR(off.max_rel, 0.1 / 7, 1e-12);
}

TEST(Compare, AllowsSmallElementsTheErrorOfLargeOnes) {
  EXPECT_EQ(compared(DType::float32, {1e-3, 100}, {0, 100}).mismatches, 0);  // 2^-15 * 100 = 3.05e-3
  EXPECT_EQ(compared(DType::float32, {4e-3, 100}, {0, 100}).mismatches, 1);
  EXPECT_EQ(compared(DType::float32, {1e-3, 1}, {0, 1}).mismatches, 1);
  EXPECT_NEAR(compared(DType::float32, {0, 100}, {0, 100}).absolute, 100.0 / 32768, 1e-9);
  EXPECT_EQ(compared(DType::float32, {0.9e-7}, {0}).mismatches, 0);
  EXPECT_EQ(compared(DType::float32, {1.1e-7}, {0}).mismatches, 1);
}

TEST(Compare, KnowsNanAndInfinity) {
  EXPECT_EQ(compared(DType::float32, {kNan, kInfinity, -kInfinity}, {kNan, kInfinity, -kInfinity}).mismatches, 0);
  EXPECT_EQ(compared(DType::float32, {kNan, 1, kInfinity, -kInfinity}, {1, kNan, 3, kInfinity}).mismatches, 4);
  EXPECT_EQ(compared(DType::float32, {1, kInfinity}, {2, kInfinity}).mismatches, 1);  // an infinity widens nothing
}

TEST(Compare, IntegersAreExact) {
  EXPECT_EQ(compared(DType::int8, {1, -2, 3}, {1, -2, 4}).mismatches, 1);
  EXPECT_EQ(compared(DType::int32, {100000}, {100001}).max_abs, 1);
  EXPECT_EQ(compared(DType::boolean, {1, 0}, {1, 1}).mismatches, 1);
  EXPECT_EQ(compared(DType::int4, {1, -2, 3}, {1, -2, 3}).mismatches, 0);
  EXPECT_EQ(compared(DType::int4, {1, -2, 3}, {1, -3, 3}).mismatches, 1);
}

TEST(Compare, CoarseFloatsMayBeOffByTheirEpsilons) {
  EXPECT_EQ(compared(DType::float16, {1 + 0x1p-9}, {1}).mismatches, 0);
  EXPECT_EQ(compared(DType::float16, {1 + 0x1p-7}, {1}).mismatches, 1);
  EXPECT_EQ(compared(DType::bfloat16, {1 + 0x1p-6}, {1}).mismatches, 0);
  EXPECT_EQ(compared(DType::bfloat16, {1 + 0x1p-3}, {1}).mismatches, 1);
}

Comparison coarse(DType type, const std::vector<double>& got, const std::vector<double>& want, Accuracy accuracy) {
  const Shape shape{static_cast<int64_t>(got.size())};
  Port port;
  port.name = port.c_name = "y";
  port.type = {type, shape};
  port.accuracy = accuracy;
  return compare(port, {stored(type, got), shape}, {stored(type, want), shape});
}

TEST(Compare, FloatsThatWereCoarseOnTheWayAreComparedAsSuch) {
  EXPECT_EQ(coarse(DType::float32, {1 + 0x1p-9}, {1}, {}).mismatches, 1);
  EXPECT_EQ(coarse(DType::float32, {1 + 0x1p-9}, {1}, {0x1p-10, 0}).mismatches, 0);
  EXPECT_EQ(coarse(DType::float32, {1 + 0x1p-7}, {1}, {0x1p-10, 0}).mismatches, 1);
}

TEST(Compare, RoundingsToCodesMoveOutputsAsAWhole) {
  std::vector<double> want(64, 0.5), got = want;
  want[0] = got[0] = 1;
  got[1] += 0.1;
  EXPECT_EQ(coarse(DType::float32, got, want, {}).mismatches, 1);
  const Comparison moved = coarse(DType::float32, got, want, {0, 8});
  EXPECT_EQ(moved.mismatches, 0);
  EXPECT_EQ(moved.moved, 1);
  EXPECT_EQ(moved.code_bits, 8);
  EXPECT_EQ(coarse(DType::float32, got, want, {0, 16}).mismatches, 1);
  // One element too far, or all of them by a little.
  got[1] += 0.1;
  EXPECT_EQ(coarse(DType::float32, got, want, {0, 8}).mismatches, 1);
  for (double& v : got) v = 0.56;
  got[0] = 1;
  EXPECT_EQ(coarse(DType::float32, got, want, {0, 8}).mismatches, 63);
  EXPECT_EQ(coarse(DType::float32, {kNan, 1}, {1, 1}, {0, 8}).mismatches, 1);
}

TEST(Compare, CodesMayBeOffByOneWhereFloatsWereRounded) {
  EXPECT_EQ(coarse(DType::int8, {1, -1}, {0, 0}, {0, 8}).mismatches, 0);
  EXPECT_EQ(coarse(DType::int8, {2, 0}, {0, 0}, {0, 8}).mismatches, 1);
  EXPECT_EQ(coarse(DType::int16, {5292}, {5291}, {0, 16}).moved, 1);
  EXPECT_EQ(coarse(DType::int64, {1}, {0}, {0, 8}).mismatches, 1);  // a position
  EXPECT_EQ(coarse(DType::int8, {1}, {0}, {}).mismatches, 1);
}

TEST(Compare, ShapesMustAgree) {
  const Port port = float_port("y", "", {2, 2});
  const std::vector<uint8_t> bytes = bytes_of({1, 2, 3, 4});
  EXPECT_EQ(compare(port, {bytes, {2, 2}}, {bytes, {2, 2}}).mismatches, 0);
  EXPECT_TRUE(compare(port, {bytes, {2, 2}}, {bytes, {4}}).shape_differs);
  EXPECT_TRUE(compare(port, {bytes, {2, 2}}, {bytes_of({1, 2}), {1, 2}}).shape_differs);
  EXPECT_GT(compare(port, {bytes_of({}), {0}}, {bytes, {4}}).mismatches, 0);
  EXPECT_EQ(compare(port, {{}, {0, 2}}, {{}, {0, 2}}).mismatches, 0);
}

TEST(Compare, AccumulatesTheWorst) {
  Comparison sum = compared(DType::float32, {1, 2}, {1, 2.5});
  accumulate(sum, compared(DType::float32, {1, 4}, {1, 3}));
  EXPECT_EQ(sum.mismatches, 2);
  EXPECT_EQ(sum.max_abs, 1);
}

}  // namespace
}  // namespace tarn::verify
