// Clip, Where, Pow, and Sum, Mean, Max, Min of many.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/ops/question.h"

namespace tarn::ops::testing {
namespace {

using V = std::vector<int64_t>;
using D = std::vector<double>;

TEST(Clip, AttributesAndInputs) {
  const Constant x = floats({3}, {-2, 0.5, 9});
  EXPECT_EQ(Question("Clip", 6).constant(x).with("min", -1.0f).with("max", 1.0f).reals(), (D{-1, 0.5, 1}));
  EXPECT_EQ(Question("Clip", 13).constant(x).omitted().constant(floats({}, {3})).reals(), (D{-2, 0.5, 3}));
  EXPECT_EQ(Question("Clip", 13).constant(x).constant(floats({}, {5})).constant(floats({}, {3})).reals(), (D{3, 3, 3}));
  EXPECT_TRUE(std::isnan(Question("Clip", 13).constant(floats({1}, {NAN})).constant(floats({}, {0})).reals()[0]));
  EXPECT_EQ(Question("Clip", 13).constant(x).constant(integers({}, {0})).type(), "fault: E205");
}

TEST(Where, BroadcastsAllThree) {
  Question q("Where");
  q.constant(integers({2, 1}, {1, 0}, DType::boolean)).constant(integers({2}, {1, 2})).constant(integers({}, {9}));
  EXPECT_EQ(q.type(), "int64[2,2]");
  EXPECT_EQ(q.integers(), (V{1, 2, 9, 9}));
  EXPECT_EQ(Question("Where").input(DType::float32, {1}).input(DType::float32, {1}).input(DType::float32, {1}).type(),
            "fault: E205");
}

TEST(Pow, KeepsTheTypeOfTheBase) {
  EXPECT_EQ(Question("Pow").constant(integers({3}, {2, -3, 0})).constant(floats({}, {3})).integers(), (V{8, -27, 0}));
  EXPECT_EQ(Question("Pow").constant(floats({2}, {4, 9})).constant(floats({}, {0.5})).reals(), (D{2, 3}));
  EXPECT_EQ(Question("Pow").constant(integers({3}, {1, -1, 5})).constant(integers({}, {-3})).integers(), (V{1, -1, 0}));
  EXPECT_EQ(Question("Pow").constant(integers({1}, {3})).constant(integers({}, {39})).integers(),
            (V{4052555153018976267}));
}

TEST(Variadic, AnyNumberOfOperands) {
  const Constant a = floats({2}, {1, 5}), b = floats({}, {3}), c = floats({2, 1}, {0, 4});
  EXPECT_EQ(Question("Sum").constant(a).constant(b).constant(c).reals(), (D{4, 8, 8, 12}));
  EXPECT_EQ(Question("Mean").constant(a).constant(b).reals(), (D{2, 4}));
  EXPECT_EQ(Question("Max").constant(a).constant(b).constant(c).reals(), (D{3, 5, 4, 5}));
  EXPECT_EQ(Question("Min").constant(a).reals(), (D{1, 5}));
  EXPECT_EQ(Question("Max").input(DType::float32, {2}).input(DType::float32, {3}).type(), "fault: E205");
  EXPECT_EQ(Question("Max").type(), "fault: E205");
}

}  // namespace
}  // namespace tarn::ops::testing
