// Recurrent layers between codes: which of them take these as they are.
#include <gtest/gtest.h>

#include "small_graph.h"

namespace tarn::passes::testing {
namespace {

constexpr int64_t kSteps = 5, kInputs = 4, kUnits = 6;

// x in codes, a layer of known weights, and what it makes; codes behind it are up to the test.
struct Layer {
  SmallGraph g;
  ValueId scale, zero, y;
  graph::Node& node() { return g.graph.nodes[at]; }
  size_t at = 0;

  explicit Layer(const std::string& op, DType type = DType::int8, int64_t batch = 1, int64_t directions = 1) {
    const int64_t rows = (op == "LSTM" ? 4 : op == "GRU" ? 3 : 1) * kUnits;
    scale = g.number(0.0078125);
    zero = g.graph.add_constant("zero", Constant::ints(type, Shape{}, {3}));
    const ValueId x = g.input({kSteps, batch, kInputs}, type), numbers = g.node("DequantizeLinear", {x, scale, zero});
    g.graph[numbers].type.dtype = DType::float32;
    graph::Attributes attributes{{"hidden_size", kUnits}};
    if (directions == 2) attributes["direction"] = std::string("bidirectional");
    at = g.graph.nodes.size();
    y = g.node(op, {numbers, g.numbers({directions, rows, kInputs}), g.numbers({directions, rows, kUnits})}, attributes,
               {kSteps, directions, batch, kUnits});
  }

  ValueId state(const std::string& name, int64_t batch = 1) {
    return g.graph.add_value(name, {DType::float32, {1, batch, kUnits}});
  }
  void quantise(ValueId value) {
    const ValueId made = g.node("QuantizeLinear", {value, scale, zero});
    g.graph[made].type.dtype = g.graph.dtype(zero);
    g.output(made);
  }
  graph::Graph in_integers() { return use_integers(std::move(g.graph), false); }
};

TEST(RecurrentCodes, SequencesStayCodes) {
  for (const std::string op : {"GRU", "LSTM", "RNN"}) {
    Layer layer(op);
    layer.quantise(layer.y);
    const graph::Graph made = layer.in_integers();
    EXPECT_EQ(passes::testing::ops_of(made), "Int" + op);
    EXPECT_TRUE(graph::verify(made).empty());
    EXPECT_EQ(made.nodes[0].integer("x_zero", 0), 3);
    EXPECT_EQ(made.nodes[0].integer("hidden_size", 0), kUnits);
  }
}

TEST(RecurrentCodes, UnsignedCodesAreSeen128Lower) {
  Layer layer("GRU", DType::uint8);
  layer.quantise(layer.y);
  const graph::Graph made = layer.in_integers();
  EXPECT_EQ(passes::testing::ops_of(made), "IntFlip IntGRU IntFlip");
  EXPECT_EQ(made.nodes[1].integer("y_zero", 0), 3 - 128);
}

TEST(RecurrentCodes, FinalStatesStayFloats) {
  Layer layer("LSTM");
  const ValueId hidden = layer.state("hidden"), cells = layer.state("cells");
  layer.node().outputs.insert(layer.node().outputs.end(), {hidden, cells});
  layer.g.output(hidden);
  layer.g.output(cells);
  layer.quantise(layer.y);
  const graph::Graph made = layer.in_integers();
  ASSERT_EQ(passes::testing::ops_of(made), "IntLSTM");
  EXPECT_EQ(made.nodes[0].outputs.size(), 3u);
  EXPECT_TRUE(graph::verify(made).empty());
}

TEST(RecurrentCodes, FinalStatesBecomeCodesBehindThem) {
  Layer layer("GRU");
  const ValueId hidden = layer.state("hidden");
  layer.node().outputs.push_back(hidden);
  layer.quantise(layer.y);
  layer.quantise(hidden);
  const graph::Graph made = layer.in_integers();
  EXPECT_EQ(passes::testing::ops_of(made), "IntGRU IntQuantize");
  EXPECT_TRUE(graph::verify(made).empty());
}

TEST(RecurrentCodes, ALayerWithoutASequenceReadsCodes) {
  Layer layer("GRU");
  const ValueId hidden = layer.state("hidden");
  layer.node().outputs = {ValueId(), hidden};
  layer.g.output(hidden);
  const graph::Graph made = layer.in_integers();
  ASSERT_EQ(passes::testing::ops_of(made), "IntGRU");
  EXPECT_FALSE(made.nodes[0].has_output(0));
}

TEST(RecurrentCodes, MovesBehindThemMoveCodes) {
  Layer layer("GRU");
  const ValueId flat = layer.g.axes({kSteps, kUnits});
  layer.quantise(layer.g.node("Reshape", {layer.y, flat}, {}, {kSteps, kUnits}));
  EXPECT_EQ(passes::testing::ops_of(layer.in_integers()), "IntGRU Reshape");
}

TEST(RecurrentCodes, WhatOthersReadStaysNumbers) {
  Layer layer("GRU");
  layer.quantise(layer.y);
  layer.g.output(layer.g.node("Erf", {layer.y}));
  EXPECT_EQ(passes::testing::ops_of(layer.in_integers()), "IntDequantize GRU IntQuantize Erf");
}

TEST(RecurrentCodes, WhatNoKernelTakesStaysNumbers) {
  for (const auto& [batch, directions] : {std::pair<int64_t, int64_t>{2, 1}, {1, 2}}) {
    Layer layer("GRU", DType::int8, batch, directions);
    layer.quantise(layer.y);
    EXPECT_EQ(passes::testing::ops_of(layer.in_integers()), "IntDequantize GRU IntQuantize");
  }
  Layer lengths("GRU");
  lengths.node().inputs.insert(lengths.node().inputs.end(), {ValueId(), lengths.g.input({1}, DType::int32)});
  lengths.quantise(lengths.y);
  EXPECT_EQ(passes::testing::ops_of(lengths.in_integers()), "IntDequantize GRU IntQuantize");
  Layer other("RNN");
  other.node().attributes["activations"] = std::vector<std::string>{"Relu"};
  other.quantise(other.y);
  EXPECT_EQ(passes::testing::ops_of(other.in_integers()), "IntDequantize RNN IntQuantize");
}

}  // namespace
}  // namespace tarn::passes::testing
