#include "ops/cast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/ops/question.h"

namespace tarn::ops::testing {
namespace {

using V = std::vector<int64_t>;
using D = std::vector<double>;

Question cast(Constant value, DType to) {
  return Question("Cast").constant(std::move(value)).with("to", int64_t{to_onnx(to)});
}

TEST(Cast, FloatsToIntegersTruncateAndSaturate) {
  EXPECT_EQ(cast(floats({4}, {2.9, -2.9, 300, NAN}), DType::int8).integers(), (V{2, -2, 127, 0}));
  EXPECT_EQ(cast(floats({2}, {-1, 300}), DType::uint8).integers(), (V{0, 255}));
}

TEST(Cast, IntegersKeepTheirLowBits) {
  EXPECT_EQ(cast(integers({3}, {257, -1, 128}), DType::int8).integers(), (V{1, -1, -128}));
  EXPECT_EQ(cast(integers({2}, {0, -7}), DType::boolean).integers(), (V{0, 1}));
}

TEST(Cast, SmallFloatsSaturateUnlessToldOtherwise) {
  EXPECT_EQ(cast(floats({1}, {1000}), DType::float8e4m3fn).reals(), (D{448}));
  EXPECT_TRUE(std::isnan(cast(floats({1}, {1000}), DType::float8e4m3fn).with("saturate", int64_t{0}).reals()[0]));
  EXPECT_EQ(cast(floats({1}, {3}), DType::float8e8m0).with("round_mode", std::string("down")).reals(), (D{2}));
  EXPECT_EQ(cast(floats({1}, {3}), DType::float8e8m0).reals(), (D{4}));
}

TEST(Cast, PackedTypes) {
  EXPECT_EQ(cast(integers({3}, {7, -8, 3}), DType::int4).integers(), (V{7, -8, 3}));
  EXPECT_EQ(cast(integers({3}, {1, -2, -1}), DType::int2).integers(), (V{1, -2, -1}));
}

TEST(Cast, UnsignedNumbersBeyondInt64) {
  EXPECT_EQ(cast(integers({1}, {-1}, DType::uint64), DType::float64).reals()[0], 18446744073709551616.0);
}

TEST(Cast, UnknownTypesAreFaults) {
  EXPECT_EQ(Question("Cast").input(DType::float32, {1}).with("to", int64_t{99}).type(), "fault: E205");
  EXPECT_EQ(Question("Cast").input(DType::float32, {1}).with("to", int64_t{8}).type(), "fault: E204");
  EXPECT_EQ(Question("BitCast").input(DType::float32, {1}).with("to", int64_t{to_onnx(DType::int64)}).type(),
            "fault: E205");
}

TEST(Cast, CastLikeNeedsOnlyTheType) {
  EXPECT_EQ(Question("CastLike").constant(floats({1}, {2.5})).input(DType::int32, {7}).integers(), (V{2}));
}

TEST(Cast, BitCastKeepsBits) {
  EXPECT_EQ(Question("BitCast").constant(floats({1}, {1})).with("to", int64_t{to_onnx(DType::int32)}).integers(),
            (V{0x3f800000}));
}

TEST(Cast, KernelsForAllPairs) {
  for (int from = 1; from <= static_cast<int>(DType::float4e2m1); ++from) {
    for (int to = 1; to <= static_cast<int>(DType::float4e2m1); ++to) {
      auto name = [](int type) { return kernel_suffix(static_cast<DType>(type)); };
      EXPECT_TRUE(cast_kernel("tarn_cast_" + name(from) + "_" + name(to)));
    }
  }
  EXPECT_FALSE(cast_kernel("tarn_cast_f32"));
  EXPECT_FALSE(cast_kernel("tarn_cast_f32_string"));
}

}  // namespace
}  // namespace tarn::ops::testing
