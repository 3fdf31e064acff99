// What values a network's tensors probably hold, by the weights before them.
#include "graph/likely_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/compile/analysed.h"

namespace tarn::graph {
namespace {

constexpr double kOneUp = 0.8413;  // of a normal distribution, up to one standard deviation above the mean

LikelyValues likely(const std::string& text, const std::string& name) {
  CompileOptions options;
  options.target = "cortex-m4";
  const Analysis analysis = analyze_ok(text, options);
  const std::vector<LikelyValues> all = likely_values(analysis.graph);
  for (size_t i = 0; i < all.size(); ++i) {
    if (analysis.graph.values[i].name == name && !analysis.graph.values[i].constant) return all[i];
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(LikelyValues, SharesFollowTheNormalDistribution) {
  EXPECT_NEAR(share_up_to({}, 0), 0.5, 1e-9);
  EXPECT_NEAR(share_up_to({{2}, {9}, {}}, 5), kOneUp, 1e-4);
  EXPECT_NEAR(share_up_to({{0, 100}, {1, 1}, {}}, 1), kOneUp / 2, 1e-4);  // the mean of the channels
  EXPECT_EQ(share_up_to({{2}, {0}, {}}, 1), 0);
  EXPECT_EQ(share_up_to({{2}, {0}, {}}, 2), 1);
  const LikelyValues cut{{1}, {1}, 0.0};
  EXPECT_NEAR(share_cut(cut), 1 - kOneUp, 1e-4);
  EXPECT_EQ(share_up_to(cut, -0.1), 0);
  EXPECT_EQ(share_cut({{1}, {1}, {}}), 0);
}

// Two outputs of two inputs: weights 3 and 4, and none; biases 5 and -1.
TEST(LikelyValues, ALayerAddsUpWhatItsWeightsMultiply) {
  for (const char* layer : {"y = Gemm(x, w, b) }", "p = MatMul(x, w)  y = Add(p, b) }"}) {
    const LikelyValues y = likely(
        std::string("net (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {3, 0, 4, 0}, float[2] b = {5, -1}> { ") +
            layer,
        "y");
    ASSERT_EQ(y.mean.size(), 2u) << layer;
    EXPECT_NEAR(y.mean[0], 5, 1e-6) << layer;
    EXPECT_NEAR(y.variance[0], 25, 1e-6) << layer;
    EXPECT_NEAR(y.mean[1], -1, 1e-6) << layer;
    EXPECT_NEAR(y.variance[1], 0, 1e-6) << layer;
  }
}

// Each group reads its own channels; what a Relu leaves has a mean.
TEST(LikelyValues, ConvolutionsGoByGroupsAndReluCuts) {
  const std::string text =
      "net (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) <float[2, 2, 1, 1] w = {1, 0, 0, 2}, float[2] b = {0, 2},"
      "float[2, 1, 1, 2] v = {1, 1, 3, 0}> { c = Conv(x, w, b)  r = Relu(c)  q = Conv <group = 2, pads = [0, 0, 0, 1]> "
      "(r, v)  y = Neg(q) }";
  const LikelyValues r = likely(text, "r"), y = likely(text, "q");
  ASSERT_EQ(r.floor, 0.0);
  EXPECT_NEAR(share_cut(r), (0.5 + 1 - kOneUp) / 2, 1e-4);
  // Of a normal distribution cut at its mean: density(0), and 1/2 less its square; the ends are not followed.
  const double mean = 1 / std::sqrt(2 * M_PI);
  EXPECT_NEAR(y.mean[0], 2 * mean, 0.02);
  EXPECT_NEAR(y.variance[0], 2 * (0.5 - mean * mean), 0.03);
  EXPECT_NEAR(y.mean[1], 3 * 2.1666, 0.05);
  EXPECT_NEAR(y.variance[1], 9 * 3.0114, 0.8);
}

TEST(LikelyValues, ArithmeticAndFunctionsAreFollowed) {
  const auto of = [](const std::string& expression) {
    return likely(
        "net (float[1, 4] x, float[1, 4] z) => (float[1, 4] y) <float c = {3}, float d = {0.5}, float[4] s = {2, 2, 2, "
        "2}> { y = " +
            expression + " }",
        "y");
  };
  EXPECT_NEAR(of("Add(x, z)").variance[0], 2, 1e-6);
  EXPECT_NEAR(of("Sub(x, c)").mean[0], -3, 1e-6);
  EXPECT_NEAR(of("Mul(x, c)").variance[0], 9, 1e-6);
  EXPECT_NEAR(of("Div(x, d)").variance[0], 4, 1e-6);
  EXPECT_NEAR(of("Mul(x, z)").variance[0], 1, 1e-6);
  EXPECT_NEAR(of("Tanh(x)").variance[0], 0.394, 0.01);
  EXPECT_NEAR(of("Sigmoid(x)").mean[0], 0.5, 1e-6);
  EXPECT_NEAR(of("LayerNormalization(x, s)").variance[0], 4, 1e-6);
  EXPECT_NEAR(of("Sin(x)").variance[0], 1, 1e-6);  // not followed
}

// Squares of these are beyond what a double holds after a few layers, and are forgotten.
TEST(LikelyValues, WhatIsTooLargeIsNotFollowed) {
  std::string text = "net (float[1, 1] x) => (float[1, 1] y) <float[1, 1] w = {1e38}> { a0 = MatMul(x, w) ";
  for (int i = 1; i < 5; ++i) text += " a" + std::to_string(i) + " = MatMul(a" + std::to_string(i - 1) + ", w) ";
  const LikelyValues followed = likely(text + " y = Tanh(a4) }", "a3"),
                     forgotten = likely(text + " y = Tanh(a4) }", "a4");
  EXPECT_GT(followed.variance[0], 1e300);
  EXPECT_EQ(forgotten.variance[0], 1);
}

}  // namespace
}  // namespace tarn::graph
