// Operators that exporters spell out.
#include <gtest/gtest.h>

#include "unit/passes/small_graph.h"

namespace tarn::passes::testing {
namespace {

std::string activations(SmallGraph& g, ValueId y) {
  g.output(y);
  const Graph fused = fuse_activations(g.graph);
  EXPECT_TRUE(graph::verify(fused).empty());
  return ops_of(fused);
}

std::string norms(SmallGraph& g, ValueId y) {
  g.output(y);
  const Graph fused = fuse_norms(g.graph);
  EXPECT_TRUE(graph::verify(fused).empty());
  return ops_of(fused);
}

TEST(FuseActivations, GeluByErf) {
  for (int form = 0; form < 4; ++form) {
    SmallGraph g;
    const ValueId x = g.input({2, 3});
    const ValueId scaled =
        form % 2 ? g.node("Mul", {x, g.number(0.70710677)}) : g.node("Div", {x, g.number(1.4142135)});
    const ValueId one = g.node("Add", {g.node("Erf", {scaled}), g.number(1)});
    ValueId y;
    if (form < 2) y = g.node("Mul", {g.node("Mul", {x, one}), g.number(0.5)});
    else y = g.node("Mul", {one, g.node("Mul", {g.number(0.5), x})});
    EXPECT_EQ(activations(g, y), "Gelu") << form;
  }
}

TEST(FuseActivations, GeluByTanh) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  const ValueId cube = g.node("Mul", {g.node("Pow", {x, g.number(3)}), g.number(0.044715)});
  const ValueId inner = g.node("Mul", {g.node("Add", {x, cube}), g.number(0.7978845608)});
  const ValueId one = g.node("Add", {g.node("Tanh", {inner}), g.number(1)});
  EXPECT_EQ(activations(g, g.node("Mul", {g.node("Mul", {x, g.number(0.5)}), one})), "Gelu");

  SmallGraph h;
  const ValueId v = h.input({2, 3});
  const ValueId square = h.node("Mul", {h.node("Mul", {v, h.number(0.044715)}), v});
  const ValueId bent =
      h.node("Mul", {h.node("Mul", {v, h.number(0.7978845608)}), h.node("Add", {square, h.number(1)})});
  const ValueId two = h.node("Add", {h.node("Tanh", {bent}), h.number(1)});
  EXPECT_EQ(activations(h, h.node("Mul", {h.node("Mul", {v, two}), h.number(0.5)})), "Gelu");
}

TEST(FuseActivations, OtherConstantsAreNoGelu) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  const ValueId one = g.node("Add", {g.node("Erf", {g.node("Div", {x, g.number(1.5)})}), g.number(1)});
  EXPECT_EQ(activations(g, g.node("Mul", {g.node("Mul", {x, one}), g.number(0.5)})), "Div Erf Add Mul Mul");
}

TEST(FuseActivations, Swish) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  EXPECT_EQ(activations(g, g.node("Mul", {g.node("Sigmoid", {x}), x})), "Swish");

  SmallGraph scaled;
  const ValueId v = scaled.input({2, 3});
  scaled.output(scaled.node("Mul", {v, scaled.node("Sigmoid", {scaled.node("Mul", {v, scaled.number(1.702)})})}));
  const Graph fused = fuse_activations(scaled.graph);
  ASSERT_EQ(ops_of(fused), "Swish");
  EXPECT_FLOAT_EQ(static_cast<float>(fused.nodes[0].real("alpha", 0)), 1.702f);
  EXPECT_EQ(fused.nodes[0].origin_names.size(), 3u);
}

TEST(FuseActivations, GatesThatOthersReadStay) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  const ValueId gate = g.node("Sigmoid", {x});
  g.output(gate);
  EXPECT_EQ(activations(g, g.node("Mul", {x, gate})), "Sigmoid Mul");
  SmallGraph other;
  const ValueId a = other.input({2, 3}), b = other.input({2, 3});
  EXPECT_EQ(activations(other, other.node("Mul", {a, other.node("Sigmoid", {b})})), "Sigmoid Mul");
}

TEST(FuseActivations, HardSwishAndMish) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  const ValueId clip = g.node("Clip", {g.node("Add", {x, g.number(3)}), g.number(0), g.number(6)});
  EXPECT_EQ(activations(g, g.node("Div", {g.node("Mul", {x, clip}), g.number(6)})), "HardSwish");

  SmallGraph hard;
  const ValueId v = hard.input({2, 3});
  EXPECT_EQ(
      activations(hard, hard.node("Mul", {v, hard.node("HardSigmoid", {v}, {{"alpha", 1.0f / 6}, {"beta", 0.5f}})})),
      "HardSwish");

  SmallGraph mish;
  const ValueId m = mish.input({2, 3});
  EXPECT_EQ(activations(mish, mish.node("Mul", {m, mish.node("Tanh", {mish.node("Softplus", {m})})})), "Mish");
}

TEST(FuseNorms, Softmax) {
  SmallGraph g;
  const ValueId x = g.input({2, 3});
  const ValueId e = g.node("Exp", {g.node("Sub", {x, g.mean(x, "ReduceMax")})});
  EXPECT_EQ(norms(g, g.node("Div", {e, g.mean(e, "ReduceSum")})), "Softmax");

  SmallGraph other;
  const ValueId v = other.input({2, 3});
  const ValueId f = other.node("Exp", {v});
  EXPECT_EQ(norms(other, other.node("Div", {f, other.node("ReduceSum", {f, other.axes({0, 1})}, {}, {1, 1})})),
            "Exp ReduceSum Div");
}

ValueId layer_norm(SmallGraph& g, ValueId x, bool twice, bool power) {
  const ValueId mean = g.mean(x);
  const ValueId d = g.node("Sub", {x, mean}), again = twice ? g.node("Sub", {x, mean}) : d;
  const ValueId squares = power ? g.node("Pow", {again, g.number(2)}) : g.node("Mul", {again, again});
  return g.node("Div", {d, g.node("Sqrt", {g.node("Add", {g.mean(squares), g.number(1e-5)})})});
}

TEST(FuseNorms, LayerNormalizationWithScaleAndBias) {
  for (int form = 0; form < 4; ++form) {
    SmallGraph g;
    const ValueId y = layer_norm(g, g.input({2, 3, 4}), form % 2, form / 2);
    g.output(g.node("Add", {g.numbers({4}), g.node("Mul", {y, g.numbers({4})})}));
    const Graph fused = fuse_norms(g.graph);
    ASSERT_EQ(ops_of(fused), "LayerNormalization") << form;
    EXPECT_EQ(fused.nodes[0].integer("axis", 0), 2);
    EXPECT_TRUE(fused.nodes[0].has_input(1) && fused.nodes[0].has_input(2));
    EXPECT_TRUE(graph::verify(fused).empty());
  }
}

TEST(FuseNorms, LayerNormalizationAlone) {
  SmallGraph g;
  const ValueId x = g.input({2, 3, 4});
  EXPECT_EQ(norms(g, g.node("Mul", {layer_norm(g, x, false, true), g.numbers({3, 1})})), "LayerNormalization Mul");
}

TEST(FuseNorms, MeansThatOthersReadStay) {
  SmallGraph g;
  const ValueId x = g.input({2, 3, 4});
  const ValueId y = layer_norm(g, x, false, true);
  g.output(g.graph.nodes[0].outputs[0]);
  // What is left is the other norm, of the difference.
  EXPECT_EQ(norms(g, y), "ReduceMean Sub RMSNormalization");
}

TEST(FuseNorms, RmsNormalization) {
  SmallGraph g;
  const ValueId x = g.input({2, 3, 4});
  const ValueId root = g.node("Sqrt", {g.node("Add", {g.mean(g.node("Pow", {x, g.number(2)})), g.number(1e-6)})});
  EXPECT_EQ(norms(g, g.node("Mul", {g.numbers({4}), g.node("Mul", {x, g.node("Reciprocal", {root})})})),
            "RMSNormalization");
}

}  // namespace
}  // namespace tarn::passes::testing
