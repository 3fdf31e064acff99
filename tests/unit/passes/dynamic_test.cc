// Layers whose inputs are quantised while the network runs.
#include <gtest/gtest.h>

#include "small_graph.h"

namespace tarn::passes::testing {
namespace {

struct Quantised {
  ValueId codes, scale, zero;
};

Quantised quantise(SmallGraph& g, ValueId x) {
  Quantised q;
  q.codes = g.node("DynamicQuantizeLinear", {x});
  Node& node = g.graph.nodes.back();
  g.graph[q.codes].type.dtype = DType::uint8;
  q.scale = g.graph.add_value("scale", {DType::float32, {}});
  q.zero = g.graph.add_value("zero", {DType::uint8, {}});
  node.outputs.insert(node.outputs.end(), {q.scale, q.zero});
  return q;
}

// Mul(Cast(op(codes, weights)), x_scale * w_scale).
ValueId layer(SmallGraph& g, const Quantised& q, const std::string& op, Shape weights, std::vector<int64_t> result,
              Shape scale = {}) {
  const ValueId w = g.graph.add_constant(
      "w", Constant::ints(DType::int8, weights, std::vector<int64_t>(static_cast<size_t>(weights.count()), 3)));
  const ValueId sums = g.node(op, {q.codes, w, q.zero}, {}, result);
  g.graph[sums].type.dtype = DType::int32;
  const ValueId cast = g.node("Cast", {sums}, {{"to", int64_t{1}}});
  g.graph[cast].type.dtype = DType::float32;
  return g.node("Mul", {cast, g.node("Mul", {q.scale, g.numbers(scale)})});
}

TEST(FuseDynamic, ConvolutionWithBiasIsOneLayer) {
  SmallGraph g;
  const Quantised q = quantise(g, g.input({1, 2, 4, 4}));
  g.output(g.node("Add", {layer(g, q, "ConvInteger", {3, 2, 3, 3}, {1, 3, 2, 2}), g.numbers({1, 3, 1, 1})}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "DynamicQuantize DynamicConv");
}

TEST(FuseDynamic, CodesThatSeveralProductsReadAreMadeOnce) {
  SmallGraph g;
  const Quantised q = quantise(g, g.input({5, 4}));
  g.output(layer(g, q, "MatMulInteger", {4, 3}, {5, 3}));
  g.output(layer(g, q, "MatMulInteger", {4, 6}, {5, 6}, {6}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "DynamicQuantize DynamicDense DynamicDense");
}

TEST(FuseDynamic, CodesThatAreAnOutputStayUnsigned) {
  SmallGraph g;
  const Quantised q = quantise(g, g.input({5, 4}));
  g.output(layer(g, q, "MatMulInteger", {4, 3}, {5, 3}));
  g.output(q.codes);
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "DynamicQuantizeLinear IntFlip DynamicDense");
}

TEST(FuseDynamic, SumsThatOthersReadStay) {
  SmallGraph g;
  const Quantised q = quantise(g, g.input({5, 4}));
  g.output(layer(g, q, "MatMulInteger", {4, 3}, {5, 3}));
  for (const Node& node : g.graph.nodes) {
    if (node.op == "MatMulInteger") g.output(node.outputs[0]);
  }
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "DynamicQuantizeLinear MatMulInteger Cast Mul Mul");
}

TEST(FuseDynamic, ScalesAlongTheRowsAreNotTheChannels) {
  SmallGraph g;
  const Quantised q = quantise(g, g.input({3, 4}));
  g.output(layer(g, q, "MatMulInteger", {4, 3}, {3, 3}, {3, 1}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "DynamicQuantizeLinear MatMulInteger Cast Mul Mul");
}

}  // namespace
}  // namespace tarn::passes::testing
