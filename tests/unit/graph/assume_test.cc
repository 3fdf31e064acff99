#include "graph/assume.h"

#include "unit/graph/built.h"

namespace tarn::graph {
namespace {

TEST(Assume, ShapesFollowFromDeclaredOutputs) {
  const Graph graph = build_ok(R"(g (float[2, 3] x, int64[2] s) => (float[4, 9] y) <int64[2] two = {2, 2}> {
    d = Shape(x)  t = Sub(s, d)  z = ConstantOfShape(t)  r = ReduceSum <keepdims = 1>(x)  y = Add(z, r) })");
  ASSERT_EQ(graph.expectations.size(), 1U);
  EXPECT_EQ(graph.expectations[0].input, 1U);
  EXPECT_EQ(graph.expectations[0].values, (std::vector<int64_t>{6, 12}));
  EXPECT_EQ(graph.inputs.size(), 2U);
}

TEST(Assume, ElementsThatDoNotMatterAreNotChecked) {
  const Graph graph = build_ok(R"(g (float[1, 1] x, int64[3] s) => (float[4, 9] y) <int64[2] pick = {0, 2}> {
    t = Gather(s, pick)  u = Abs(t)  z = Expand(x, u)  y = Relu(z) })");
  ASSERT_EQ(graph.expectations.size(), 1U);
  EXPECT_EQ(graph.expectations[0].values, (std::vector<int64_t>{4, -1, 9}));
}

TEST(Assume, WhatDecidesNoSizeStaysAnInput) {
  const Graph graph = build_ok(R"(g (float[5, 1] x, int64[1] s, int64 row) => (float[4] y) {
    u = Abs(s)  z = Expand(x, u)  w = Gather(z, row)  y = Relu(w) })");
  ASSERT_EQ(graph.expectations.size(), 1U);
  EXPECT_EQ(graph.expectations[0].input, 1U);
  EXPECT_EQ(ops_of(graph), "Expand Gather Relu");
}

// The value would decide numbers, which no declared size tells.
TEST(Assume, NothingIsTakenForGrantedThatDecidesTheAnswer) {
  EXPECT_NE(codes_of(try_build(R"(g (float[1] x, int64[2] s) => (float[4] y) <int64[1] i = {0}, int64[1] j = {1}> {
    a = Gather(s, i)  b = Gather(s, j)  u = Abs(a)  z = Expand(x, u)  f = Cast <to = 1>(b)  y = Mul(z, f) w = Abs(b) v = Expand(x, w) })")),
            "")
      << "the second element scales the answer";
}

TEST(Assume, NoDeclaredSizeNoAssumption) {
  EXPECT_EQ(
      codes_of(try_build("g (float[1] x, int64[1] s) => (float[n] y) { u = Abs(s)  z = Expand(x, u)  y = Relu(z) }")),
      "E206");
}

}  // namespace
}  // namespace tarn::graph
