#include "ops/reduce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/ops/question.h"

namespace tarn::ops::testing {
namespace {

using V = std::vector<int64_t>;
using D = std::vector<double>;

TEST(Reduce, ShapesFollowAxesAndKeepdims) {
  EXPECT_EQ(Question("ReduceSum").input(DType::float32, {2, 3, 4}).ints({1}).type(), "float32[2,1,4]");
  EXPECT_EQ(Question("ReduceSum").input(DType::float32, {2, 3, 4}).ints({-1, 0}).with("keepdims", int64_t{0}).type(),
            "float32[3]");
  EXPECT_EQ(Question("ReduceMean", 13).input(DType::float32, {2, 3, 4}).with("axes", V{2}).type(), "float32[2,3,1]");
  EXPECT_EQ(Question("ReduceMax").input(DType::int8, {2, 3}).type(), "int8[1,1]");
  EXPECT_EQ(Question("ReduceMax").input(DType::int8, {2, 3}).with("noop_with_empty_axes", int64_t{1}).type(),
            "int8[2,3]");
  EXPECT_EQ(Question("ReduceMax").input(DType::int8, {2, 3}).ints({}).type(), "int8[1,1]");
}

TEST(Reduce, AxesOutsideAreFaults) {
  EXPECT_EQ(Question("ReduceSum").input(DType::float32, {2, 3}).ints({2}).type(), "fault: E205");
  EXPECT_EQ(Question("ReduceSum").input(DType::float32, {2, 3}).ints({INT64_MIN}).type(), "fault: E205");
}

TEST(Reduce, AxesOfRunTimeTakeTheDeclaredShape) {
  Question q("ReduceSum");
  q.input(DType::float32, {2, 3}).input(DType::int64, {1});
  EXPECT_EQ(q.type(), "unknown");
  EXPECT_EQ(q.declared({DType::float32, {2, 1}}).type(), "float32[2,1]");
}

TEST(Reduce, FoldsEveryOperator) {
  auto fold = [](const char* op) { return Question(op).constant(floats({2, 2}, {1, -2, 3, 4})).ints({1}).reals(); };
  EXPECT_EQ(fold("ReduceSum"), (D{-1, 7}));
  EXPECT_EQ(fold("ReduceMean"), (D{-0.5, 3.5}));
  EXPECT_EQ(fold("ReduceMax"), (D{1, 4}));
  EXPECT_EQ(fold("ReduceMin"), (D{-2, 3}));
  EXPECT_EQ(fold("ReduceProd"), (D{-2, 12}));
  EXPECT_EQ(fold("ReduceL1"), (D{3, 7}));
  EXPECT_EQ(fold("ReduceSumSquare"), (D{5, 25}));
  EXPECT_FLOAT_EQ(static_cast<float>(fold("ReduceL2")[1]), 5);
  EXPECT_FLOAT_EQ(static_cast<float>(fold("ReduceLogSum")[1]), std::log(7.0f));
  EXPECT_FLOAT_EQ(static_cast<float>(fold("ReduceLogSumExp")[1]), std::log(std::exp(3.0f) + std::exp(4.0f)));
}

TEST(Reduce, FoldsIntegersExactly) {
  const int64_t big = (int64_t{1} << 53) + 1;
  EXPECT_EQ(Question("ReduceSum").constant(integers({2}, {big, 2})).ints({0}).integers(), (V{big + 2}));
  EXPECT_EQ(Question("ReduceProd").constant(integers({3}, {2, 3, 4})).integers(), (V{24}));
  EXPECT_EQ(Question("ReduceMean").constant(integers({2}, {-3, 0})).integers(), (V{-1}));
}

TEST(Reduce, OfNothing) {
  EXPECT_EQ(Question("ReduceSum").constant(floats({2, 0}, {})).ints({1}).reals(), (D{0, 0}));
  EXPECT_EQ(Question("ReduceProd").constant(floats({2, 0}, {})).ints({1}).reals(), (D{1, 1}));
  EXPECT_EQ(Question("ReduceMax").constant(floats({1, 0}, {})).ints({1}).reals()[0], -INFINITY);
}

TEST(Reduce, KernelsAreWrittenForTheTypesTheyAreFor) {
  EXPECT_TRUE(reduce_kernel("tarn_reducesum_f32"));
  EXPECT_TRUE(reduce_kernel("tarn_reducemax_bool"));
  EXPECT_FALSE(reduce_kernel("tarn_reducesum_bool"));
  EXPECT_FALSE(reduce_kernel("tarn_reducesum_float4e2m1"));
  EXPECT_FALSE(reduce_kernel("tarn_reduce"));
}

}  // namespace
}  // namespace tarn::ops::testing
