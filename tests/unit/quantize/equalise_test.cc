// Factors between layers: nothing changes in floats, and channels of very different size keep their numbers.
#include "quantize/equalise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "quantize/scheme.h"

namespace tarn::quantize {
namespace {

using graph::ValueId;

// x[1,2] -> Gemm -> Relu -> Gemm; the first channel between them is a thousand times as large as the second.
struct Pair {
  graph::Graph graph;
  ValueId hidden;
  Pair() {
    const ValueId x = graph.add_value("x", {DType::float32, Shape{1, 2}});
    const ValueId sum = graph.add_value("sum", {DType::float32, Shape{1, 2}});
    hidden = graph.add_value("hidden", {DType::float32, Shape{1, 2}});
    const ValueId y = graph.add_value("y", {DType::float32, Shape{1, 1}});
    add("Gemm", {x, constant({2, 2}, {100, 0.1, 0, 0.2}), constant({2}, {0, 0.05})}, sum);
    add("Relu", {sum}, hidden);
    add("Gemm", {hidden, constant({2, 1}, {0.01, 10}), constant({1}, {0})}, y);
    graph.inputs = {x};
    graph.outputs = {y};
  }
  ValueId constant(Shape shape, const std::vector<double>& values) {
    return graph.add_constant("c", Constant::floats(DType::float32, std::move(shape), values));
  }
  void add(const char* op, std::vector<ValueId> inputs, ValueId output) {
    graph::Node node;
    node.op = op;
    node.inputs = std::move(inputs);
    node.outputs = {output};
    graph.nodes.push_back(std::move(node));
  }
  double run(double a, double b) const {
    const auto c = [&](size_t node, size_t input) { return graph.constant(graph.nodes[node].inputs[input])->reals(); };
    const auto w = c(0, 1), v = c(0, 2), u = c(2, 1);
    return std::fmax(0, a * w[0] + b * w[2] + v[0]) * u[0] + std::fmax(0, a * w[1] + b * w[3] + v[1]) * u[1];
  }
};

TEST(Equalise, ChannelsFillTheRange) {
  Pair net;
  const Scheme scheme = make_scheme(net.graph, {});
  const std::vector<Joint> joints = find_joints(net.graph, scheme.layers);
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_EQ(joints[0].values.back(), net.hidden);
  ChannelStatistics seen;
  seen.add(joints[0], {100, 0.1f});
  seen.add(joints[0], {50, 0.2f});
  const std::vector<float> factors = choose_factors(net.graph, joints[0], seen);
  EXPECT_EQ(factors[0], 1);
  EXPECT_LT(factors[1], 0.1f);
  const double before = net.run(0.7, -0.2);
  apply_factors(net.graph, joints[0], factors);
  EXPECT_NEAR(net.run(0.7, -0.2), before, 1e-5 * std::fabs(before));
}

TEST(Equalise, DeadChannelsStay) {
  Pair net;
  const std::vector<Joint> joints = find_joints(net.graph, make_scheme(net.graph, {}).layers);
  ChannelStatistics seen;
  seen.add(joints[0], {0, 0});
  EXPECT_EQ(choose_factors(net.graph, joints[0], seen), (std::vector<float>{1, 1}));
  seen.add(joints[0], {1, 0});
  EXPECT_EQ(choose_factors(net.graph, joints[0], seen)[1], 1);
}

TEST(Equalise, NotWhereOthersRead) {
  Pair net;
  net.graph.outputs.push_back(net.hidden);
  EXPECT_TRUE(find_joints(net.graph, make_scheme(net.graph, {}).layers).empty());
}

}  // namespace
}  // namespace tarn::quantize
