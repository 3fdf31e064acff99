// What stays in codes between quantised values.
#include <gtest/gtest.h>

#include "small_graph.h"

namespace tarn::passes::testing {
namespace {

struct Codes {
  ValueId scale, zero;
};

Codes codes_of(SmallGraph& g, double scale, int64_t zero, DType type) {
  return {g.number(scale), g.graph.add_constant("zero", Constant::ints(type, Shape{}, {zero}))};
}

ValueId numbers_of(SmallGraph& g, ValueId x, const Codes& c) {
  const ValueId made = g.node("DequantizeLinear", {x, c.scale, c.zero});
  g.graph[made].type.dtype = DType::float32;
  return made;
}

ValueId quantise(SmallGraph& g, ValueId x, const Codes& c) {
  const ValueId made = g.node("QuantizeLinear", {x, c.scale, c.zero});
  g.graph[made].type.dtype = g.graph.dtype(c.zero);
  return made;
}

TEST(Codes, ReluThatOthersReadBoundsCodes) {
  SmallGraph g;
  const Codes c = codes_of(g, 0.5, 3, DType::int8);
  const ValueId relu = g.node("Relu", {numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), c)});
  g.output(quantise(g, relu, codes_of(g, 0.25, -5, DType::int8)));
  g.output(g.node("Erf", {relu}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntTable IntDequantize IntTable Erf");
}

TEST(Codes, ABoundBetweenTwoCodesStaysANumber) {
  SmallGraph g;
  const Codes c = codes_of(g, 0.5, 3, DType::int8);
  g.output(g.node("Clip", {numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), c), g.number(0), g.number(6.3)}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntDequantize Clip");
}

TEST(Codes, WeightsThatAreCodesAlreadyAreNotCopied) {
  SmallGraph g;
  const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
  const ValueId w = g.graph.add_constant("w", Constant::ints(DType::int8, {3, 2, 1, 1}, {1, -2, 3, -4, 5, 127}));
  const uint8_t* stored = g.graph.constant(w)->contiguous().data();
  const Codes c = codes_of(g, 0.25, 0, DType::int8);
  const ValueId y = g.node("Conv", {x, numbers_of(g, w, c)}, {}, {1, 3, 4, 4});
  g.graph[y].type.dtype = DType::float32;
  g.output(quantise(g, y, c));
  const graph::Graph made = use_integers(std::move(g.graph), false);
  ASSERT_EQ(ops_of(made), "IntConv");
  EXPECT_EQ(made.constant(made.nodes[0].inputs[1])->contiguous().data(), stored);
}

TEST(Codes, MeansOfWholeImagesReadCodes) {
  for (const char* op : {"GlobalAveragePool", "AveragePool"}) {
    SmallGraph g;
    const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
    g.output(g.node(op, {x}, {{"kernel_shape", std::vector<int64_t>{4, 4}}}, {1, 2, 1, 1}));
    EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntMean");
  }
}

TEST(Codes, MeansOfWindowsStayNumbers) {
  SmallGraph g;
  const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
  g.output(g.node("AveragePool", {x}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}, {1, 2, 3, 3}));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntDequantize AveragePool");
}

TEST(Codes, ATransposeOfNumbersMovesTheirCodes) {
  SmallGraph g;
  const Codes c = codes_of(g, 0.5, 3, DType::int8);
  const ValueId x = numbers_of(g, quantise(g, g.input({1, 2, 4, 4}), c), c);
  g.output(g.node("MaxPool", {x}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}, {1, 2, 3, 3}));
  EXPECT_EQ(ops_of(run_passes(std::move(g.graph), {})), "IntQuantize Transpose MaxPool Transpose IntDequantize");
}

TEST(Codes, BoundsBetweenCodesOfOneScaleComeBeforeThem) {
  for (const double behind : {0.25, 0.5}) {
    SmallGraph g;
    const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
    const ValueId sum = quantise(g, g.node("Mul", {x, g.numbers({1, 2, 1, 1})}), codes_of(g, 0.25, 0, DType::int8));
    const ValueId bounded = g.node("Relu", {numbers_of(g, sum, codes_of(g, 0.25, 0, DType::int8))});
    g.output(quantise(g, bounded, codes_of(g, behind, 0, DType::int8)));
    EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), behind == 0.25 ? "IntConv" : "IntConv IntTable");
  }
}

TEST(Codes, FunctionsThatDifferBetweenChannelsAreALayer) {
  for (const char* op : {"Mul", "Add"}) {
    SmallGraph g;
    const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
    g.output(
        quantise(g, g.node("Relu", {g.node(op, {x, g.numbers({1, 2, 1, 1})})}), codes_of(g, 0.25, -5, DType::int8)));
    EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntConv");
  }
  SmallGraph g;
  const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
  const ValueId y = g.node("BatchNormalization", {x, g.numbers({2}), g.numbers({2}), g.numbers({2}), g.numbers({2})},
                           {}, {1, 2, 4, 4});
  g.output(quantise(g, y, codes_of(g, 0.25, -5, DType::int8)));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "IntConv");
}

TEST(Codes, WeightedResizesReadAndWriteCodes) {
  for (const char* mode : {"linear", "cubic", "nearest"}) {
    SmallGraph g;
    const ValueId x = numbers_of(g, g.input({1, 2, 4, 4}, DType::int8), codes_of(g, 0.5, 3, DType::int8));
    const ValueId sizes = g.axes({1, 2, 7, 9});
    const ValueId y = g.node("Resize", {x, ValueId(), ValueId(), sizes}, {{"mode", std::string(mode)}}, {1, 2, 7, 9});
    g.output(quantise(g, y, codes_of(g, 0.25, -5, DType::int8)));
    EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)),
              mode == std::string("nearest") ? "Resize IntTable" : "Resize")
        << mode;
  }
}

TEST(Codes, FunctionsOfSixteenBitsTakeCodesOneByOne) {
  for (const char* op : {"Tanh", "Sigmoid", "Sqrt"}) {
    SmallGraph g;
    const ValueId x = numbers_of(g, g.input({3, 5}, DType::int16), codes_of(g, 0.5, 3, DType::int16));
    g.output(quantise(g, g.node(op, {x}), codes_of(g, 0.25, -5, DType::int16)));
    EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "Function");
  }
}

// Requantisation spelled in floats, at the end of a network as well.
TEST(Codes, WholeNumbersThatAreAnOutputAreALayerToo) {
  SmallGraph g;
  const auto clip = [&](ValueId x) {
    return g.node("Clip", {g.node("Floor", {g.node("Mul", {x, g.number(0.25)})}), g.number(0), g.number(255)});
  };
  const ValueId first = clip(g.input({1, 2, 4, 4}));
  const ValueId conv = g.node("Conv", {first, g.numbers({3, 2, 1, 1})}, {}, {1, 3, 4, 4});
  g.output(clip(conv));
  EXPECT_EQ(ops_of(use_integers(std::move(g.graph), false)), "Mul Floor Clip IntQuantize IntConv IntDequantize");
}

// Signed views of codes are made anew once values have other numbers.
TEST(Codes, SignedViewsOutliveNoRenumbering) {
  SmallGraph g;
  const Codes c = codes_of(g, 0.5, 3, DType::uint8);
  const ValueId x = numbers_of(g, quantise(g, g.input({1, 2, 4, 4}), c), c);
  const Codes wc = codes_of(g, 0.25, 0, DType::int8);
  const ValueId w =
      g.node("DequantizeLinear",
             {g.graph.add_constant("w", Constant::ints(DType::int8, Shape{3, 2, 1, 1}, {1, 2, 3, 4, 5, 6})), wc.scale,
              wc.zero},
             {}, {3, 2, 1, 1});
  g.graph[w].type.dtype = DType::float32;
  const ValueId relu = g.node("Relu", {x});
  g.output(quantise(g, g.node("Mul", {g.node("Sigmoid", {relu}), relu}), codes_of(g, 0.1, 7, DType::uint8)));
  g.output(g.node("Conv", {x, w}, {}, {1, 3, 4, 4}));
  g.output(g.node("Erf", {g.node("GlobalAveragePool", {x}, {}, {1, 2, 1, 1})}));
  const graph::Graph made = use_integers(std::move(g.graph), false);
  EXPECT_TRUE(graph::verify(made).empty());
  EXPECT_NE(ops_of(made).find("IntMean"), std::string::npos);
}

}  // namespace
}  // namespace tarn::passes::testing
