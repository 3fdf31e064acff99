#include "graph/graph.h"

#include <gtest/gtest.h>

#include "graph/worlds.h"

namespace tarn::graph {
namespace {

const TensorType kType{DType::float32, Shape{2}};

Node node(const std::string& op, std::vector<ValueId> inputs, std::vector<ValueId> outputs) {
  Node n;
  n.op = op;
  n.inputs = std::move(inputs);
  n.outputs = std::move(outputs);
  return n;
}

// x -> a -> b, x -> c; the output is b.
struct Small {
  Graph graph;
  ValueId x, a, b, c;
  Small() {
    x = graph.add_value("x", kType);
    a = graph.add_value("a", kType);
    b = graph.add_value("b", kType);
    c = graph.add_value("c", kType);
    graph.inputs = {x};
    graph.outputs = {b};
    graph.nodes = {node("Relu", {x}, {a}), node("Neg", {a}, {b}), node("Abs", {x}, {c})};
  }
};

TEST(Graph, UsesFollowEveryReader) {
  Small s;
  const Uses uses = find_uses(s.graph);
  const std::span<const size_t> readers = uses.readers[s.x.pos()];
  EXPECT_EQ(std::vector<size_t>(readers.begin(), readers.end()), (std::vector<size_t>{0, 2}));
  EXPECT_EQ(uses.producer[s.b.pos()], 1u);
  EXPECT_FALSE(uses.producer[s.x.pos()]);
  EXPECT_TRUE(uses.is_output[s.b.pos()]);
  EXPECT_FALSE(uses.is_output[s.c.pos()]);
}

TEST(Graph, DeadNodesAndValuesGo) {
  Small s;
  remove_dead(s.graph);
  ASSERT_EQ(s.graph.nodes.size(), 2u);
  EXPECT_EQ(s.graph.values.size(), 3u);
  EXPECT_EQ(verify(s.graph), std::vector<std::string>{});
  EXPECT_EQ(s.graph[s.graph.outputs[0]].name, "b");
}

TEST(Graph, ReplacedUsesReachOutputs) {
  Small s;
  replace_uses(s.graph, s.b, s.c);
  EXPECT_EQ(s.graph.outputs[0], s.c);
  replace_uses(s.graph, s.x, s.b);
  EXPECT_EQ(s.graph.nodes[0].inputs[0], s.b);
}

TEST(Graph, SortingIsStable) {
  Small s;
  std::swap(s.graph.nodes[0], s.graph.nodes[1]);  // Neg before Relu
  EXPECT_FALSE(verify(s.graph).empty());
  sort_nodes(s.graph);
  EXPECT_EQ(verify(s.graph), std::vector<std::string>{});
  EXPECT_EQ(s.graph.nodes[0].op, "Relu");
  EXPECT_EQ(s.graph.nodes[1].op, "Neg");
  EXPECT_EQ(s.graph.nodes[2].op, "Abs");
}

TEST(Graph, VerifyFindsWhatIsBroken) {
  Small twice;
  twice.graph.nodes[2].outputs[0] = twice.a;
  EXPECT_FALSE(verify(twice.graph).empty());
  Small untyped;
  untyped.graph[untyped.a].type = {};
  EXPECT_FALSE(verify(untyped.graph).empty());
  Small lost;
  lost.graph.nodes.erase(lost.graph.nodes.begin() + 1);
  EXPECT_FALSE(verify(lost.graph).empty());
}

TEST(Worlds, FitFindsLinearSizes) {
  Worlds worlds;
  EXPECT_EQ(worlds.count(), 1u);
  const int n = worlds.add_symbol(100), m = worlds.add_symbol(7);
  std::vector<int64_t> constant, twice_n, m_less_one, product, sum;
  for (size_t w = 1; w < worlds.count(); ++w) {
    const std::vector<int64_t> v = worlds.values(w);
    constant.push_back(5);
    twice_n.push_back(2 * v[0] + 3);
    m_less_one.push_back(v[1] - 1);
    product.push_back(v[0] * v[1]);
    sum.push_back(v[0] + v[1]);
  }
  EXPECT_EQ(worlds.values(0), (std::vector<int64_t>{100, 7}));
  EXPECT_EQ(worlds.fit(constant)->scale, 0);
  EXPECT_EQ(worlds.fit(constant)->offset, 5);
  EXPECT_EQ(*worlds.fit(twice_n), (RuntimeDim{0, n, 2, 3}));
  EXPECT_EQ(*worlds.fit(m_less_one), (RuntimeDim{0, m, 1, -1}));
  EXPECT_FALSE(worlds.fit(product));
  EXPECT_FALSE(worlds.fit(sum));
}

}  // namespace
}  // namespace tarn::graph
