// Attention spelled out is recognised, with its masks, and reads rearranged operands where they lie.
#include "ops/attention.h"

#include <gtest/gtest.h>

#include "passes/passes.h"

namespace tarn::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr int64_t kHeads = 2, kRows = 3, kKeys = 5, kSize = 4;

class Network {
 public:
  ValueId input(const std::string& name, Shape shape, DType dtype = DType::float32) {
    const ValueId id = graph.add_value(name, {dtype, std::move(shape)});
    graph.inputs.push_back(id);
    return id;
  }
  ValueId number(double value) {
    return graph.add_constant("number", Constant::floats(DType::float32, Shape{}, {value}));
  }
  ValueId add(const std::string& op, std::vector<ValueId> inputs, Shape shape, graph::Attributes attributes = {},
              DType dtype = DType::float32) {
    Node node;
    node.op = op;
    node.version = 13;
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    const ValueId y = graph.add_value(op, {dtype, std::move(shape)});
    node.outputs = {y};
    graph.nodes.push_back(std::move(node));
    return y;
  }
  ValueId finish(ValueId scores, ValueId v) {
    const ValueId p = add("Softmax", {scores}, graph.shape(scores), {{"axis", int64_t{-1}}});
    const ValueId y = add("MatMul", {p, v}, Shape{1, kHeads, kRows, kSize});
    graph.outputs = {y};
    return y;
  }
  Graph graph;
};

const Shape kScores{1, kHeads, kRows, kKeys};

struct Operands {
  ValueId q, k, v;
};
Operands operands(Network& n) {
  return {n.input("q", {1, kHeads, kRows, kSize}), n.input("k", {1, kHeads, kSize, kKeys}),
          n.input("v", {1, kHeads, kKeys, kSize})};
}

const Node* only_node(const Graph& graph) {
  return graph.nodes.size() == 1 && graph.nodes[0].is("Attention", "tarn") ? &graph.nodes[0] : nullptr;
}

TEST(FuseAttention, TakesScaleAndBias) {
  Network n;
  const auto [q, k, v] = operands(n);
  const ValueId mask = n.input("mask", {1, 1, 1, kKeys});
  const ValueId scaled = n.add("Div", {n.add("MatMul", {q, k}, kScores), n.number(4)}, kScores);
  n.finish(n.add("Add", {mask, scaled}, kScores), v);
  const Graph fused = fuse_attention(std::move(n.graph));
  ASSERT_TRUE(graph::verify(fused).empty());
  const Node* node = only_node(fused);
  ASSERT_TRUE(node);
  const ops::Attention a = ops::read_attention(*node);
  EXPECT_EQ(a.scale, 0.25);
  EXPECT_EQ(a.bias, (ops::Steps{0, 0, 0, 1}));
  EXPECT_EQ(a.k, (ops::Steps{0, kSize * kKeys, 1, kKeys}));
  EXPECT_EQ(a.keys, kKeys);
}

TEST(FuseAttention, LeavesMasksBeforeTheScale) {
  Network n;
  const auto [q, k, v] = operands(n);
  const ValueId sum = n.add("Add", {n.add("MatMul", {q, k}, kScores), n.input("mask", {1, 1, 1, kKeys})}, kScores);
  n.finish(n.add("Mul", {sum, n.number(2)}, kScores), v);
  EXPECT_FALSE(only_node(fuse_attention(std::move(n.graph))));
}

TEST(FuseAttention, LeavesScoresThatAreRead) {
  Network n;
  const auto [q, k, v] = operands(n);
  const ValueId scores = n.add("MatMul", {q, k}, kScores);
  n.finish(scores, v);
  n.graph.outputs.push_back(scores);
  EXPECT_EQ(fuse_attention(std::move(n.graph)).nodes.size(), 3u);
}

TEST(FuseAttention, SoftCapKeepsItsFactor) {
  Network n;
  const auto [q, k, v] = operands(n);
  const ValueId divided = n.add("Div", {n.add("MatMul", {q, k}, kScores), n.number(20)}, kScores);
  n.finish(n.add("Mul", {n.add("Tanh", {divided}, kScores), n.number(10)}, kScores), v);
  const Graph fused = fuse_attention(std::move(n.graph));
  ASSERT_TRUE(only_node(fused));
  const ops::Attention a = ops::read_attention(*only_node(fused));
  EXPECT_EQ(a.cap, 10);
  EXPECT_EQ(a.scale, 0.5);  // 10 * tanh(s / 20) is 10 * tanh((s / 2) / 10)
}

TEST(FuseAttention, CausalTablesDisappear) {
  for (double blocked : {-1e9, -100.0}) {
    Network n;
    const auto [q, k, v] = operands(n);
    std::vector<double> table;
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kKeys; ++j) table.push_back(j > i + kKeys - kRows ? blocked : 0);
    }
    const ValueId mask =
        n.graph.add_constant("mask", Constant::floats(DType::float32, Shape{1, 1, kRows, kKeys}, table));
    n.finish(n.add("Add", {n.add("MatMul", {q, k}, kScores), mask}, kScores), v);
    const Graph fused = fuse_attention(std::move(n.graph));
    ASSERT_TRUE(only_node(fused));
    const ops::Attention a = ops::read_attention(*only_node(fused));
    // A score of -100 may still be the largest.
    EXPECT_EQ(a.causal, blocked == -1e9);
    EXPECT_EQ(only_node(fused)->has_input(3), blocked != -1e9);
    EXPECT_EQ(a.past, blocked == -1e9 ? kKeys - kRows : 0);
  }
}

TEST(FuseAttention, WhereWithALowNumberIsAMask) {
  Network n;
  const auto [q, k, v] = operands(n);
  const ValueId mask = n.input("mask", {1, 1, kRows, kKeys}, DType::boolean);
  const ValueId scores = n.add("MatMul", {q, k}, kScores);
  n.finish(n.add("Where", {mask, n.number(-1e4), scores}, kScores), v);
  const Graph fused = fuse_attention(std::move(n.graph));
  ASSERT_TRUE(only_node(fused));
  const ops::Attention a = ops::read_attention(*only_node(fused));
  EXPECT_TRUE(a.blocking);
  EXPECT_EQ(a.fill, -1e4);
  EXPECT_EQ(a.allowed, (ops::Steps{0, 0, kKeys, 1}));
}

// Where(table, scores, fill): row i is let through up to key `past` + i, and `wrong` more or fewer of the last row.
Graph behind_table(int64_t past, double fill, int64_t wrong) {
  Network n;
  const auto [q, k, v] = operands(n);
  std::vector<int64_t> table;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kKeys; ++j) table.push_back(j <= i + past + (i + 1 == kRows ? wrong : 0));
  }
  const ValueId mask = n.graph.add_constant("mask", Constant::ints(DType::boolean, Shape{1, 1, kRows, kKeys}, table));
  const ValueId scores = n.add("MatMul", {q, k}, kScores);
  n.finish(n.add("Where", {mask, scores, n.number(fill)}, kScores), v);
  return fuse_attention(std::move(n.graph));
}

TEST(FuseAttention, CausalTablesOfTruthDisappear) {
  const Graph causal = behind_table(kKeys - kRows, -1e9, 0);
  ASSERT_TRUE(only_node(causal));
  EXPECT_FALSE(only_node(causal)->has_input(4));
  EXPECT_TRUE(ops::read_attention(*only_node(causal)).causal);
  EXPECT_EQ(ops::read_attention(*only_node(causal)).past, kKeys - kRows);
  const Graph open = behind_table(kKeys, -1e9, 0);
  ASSERT_TRUE(only_node(open));
  EXPECT_FALSE(only_node(open)->has_input(4));
  EXPECT_FALSE(ops::read_attention(*only_node(open)).causal);
}

TEST(FuseAttention, OtherTablesOfTruthStay) {
  for (const Graph& graph : {behind_table(kKeys - kRows, -100, 0), behind_table(kKeys - kRows, -1e9, -1),
                             behind_table(kKeys - kRows - 1, -1e9, 0)}) {
    ASSERT_TRUE(only_node(graph));
    EXPECT_TRUE(only_node(graph)->has_input(4));
    EXPECT_FALSE(ops::read_attention(*only_node(graph)).causal);
  }
}

TEST(ReadViews, HeadsAreReadInsideRows) {
  Network n;
  const ValueId x = n.input("x", {1, kRows, 3 * kHeads * kSize});
  std::vector<ValueId> parts;
  Node split;
  split.op = "Split";
  split.version = 18;
  split.inputs = {x};
  split.attributes = {{"axis", int64_t{2}}, {"num_outputs", int64_t{3}}};
  for (int i = 0; i < 3; ++i)
    split.outputs.push_back(n.graph.add_value("part", {DType::float32, Shape{1, kRows, kHeads * kSize}}));
  n.graph.nodes.push_back(split);
  const ValueId sizes =
      n.graph.add_constant("sizes", Constant::ints(DType::int64, Shape{4}, {1, kRows, kHeads, kSize}));
  std::vector<ValueId> heads;
  for (ValueId part : split.outputs) {
    const ValueId wide = n.add("Reshape", {part, sizes}, {1, kRows, kHeads, kSize});
    heads.push_back(
        n.add("Transpose", {wide}, {1, kHeads, kRows, kSize}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}}));
  }
  const ValueId turned =
      n.add("Transpose", {heads[1]}, {1, kHeads, kSize, kRows}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
  const Shape scores{1, kHeads, kRows, kRows};
  const ValueId y = n.finish(n.add("MatMul", {heads[0], turned}, scores), heads[2]);
  n.graph.outputs = {n.add("Transpose", {y}, {1, kRows, kHeads, kSize}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}})};
  const Graph result = read_views(fuse_attention(std::move(n.graph)));
  ASSERT_TRUE(graph::verify(result).empty());
  const Node* node = only_node(result);
  ASSERT_TRUE(node);
  const int64_t row = 3 * kHeads * kSize;
  const ops::Attention a = ops::read_attention(*node);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(node->inputs[i], result.inputs[0]);
    EXPECT_EQ(a.first[i], static_cast<int64_t>(i) * kHeads * kSize);
  }
  EXPECT_EQ(a.q, (ops::Steps{0, kSize, row, 1}));
  EXPECT_EQ(a.k, (ops::Steps{0, kSize, row, 1}));
  EXPECT_EQ(a.y, (ops::Steps{0, kSize, kHeads * kSize, 1}));
}

}  // namespace
}  // namespace tarn::passes
