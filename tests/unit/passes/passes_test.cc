// Each pass alone: a small graph before and after it, with the constants that it computes.
#include "passes/passes.h"

#include <cmath>

#include "unit/graph/built.h"

namespace tarn::passes {
namespace {

using graph::build_ok;
using graph::Node;
using graph::ops_of;
using graph::ValueId;

Graph checked(Graph graph) {
  EXPECT_EQ(graph::verify(graph), std::vector<std::string>{}) << graph::dump(graph);
  return graph;
}

TEST(RemoveIdentities, WhatChangesNothingGoes) {
  const Graph graph = checked(remove_identities(build_ok(R"(g (float[2, 3] x) => (float[2, 3] y)
    <int64[2] s = {2, 3}, int64[4] none = {0, 0, 0, 0}, float zero = {0}, float half = {0.5}, bool off = {0}> {
      a = Identity(x)  b = Reshape(a, s)  c = Expand(b, s)  d = Cast <to = 1>(c)  e = Pad(d, none, zero)  f = Transpose <perm = [0, 1]>(e)
      h = Concat <axis = 0>(f)  i = Dropout(h, half)  j = Relu(i)  y = Identity(j) })")));
  EXPECT_EQ(ops_of(graph), "Relu");
  EXPECT_EQ(graph[graph.outputs[0]].name, "y");  // the model's name stays
}

TEST(RemoveIdentities, WhatOnlyKeepsTheShapeStays) {
  EXPECT_EQ(
      ops_of(remove_identities(build_ok("g (float[2, 2] x) => (float[2, 2] y) { y = Transpose <perm = [1, 0]>(x) }"))),
      "Transpose");
  // Taken from one end, added at the other.
  EXPECT_EQ(
      ops_of(remove_identities(build_ok("g (float[4] x) => (float[4] y) <int64[2] p = {-1, 1}> { y = Pad(x, p) }"))),
      "Pad");
  EXPECT_EQ(ops_of(remove_identities(build_ok("g (float[4] x) => (int32[4] y) { y = Cast <to = 6>(x) }"))), "Cast");
}

TEST(NestConcats, BeginningsAreTakenFromEarlierOnes) {
  const Graph graph = checked(nest_concats(
      build_ok(R"(g (float[1, 2] a, float[1, 3] b, float[1, 4] c) => (float[1, 5] p, float[1, 9] q, float[1, 11] r) {
    p = Concat <axis = 1>(a, b)  q = Concat <axis = 1>(a, b, c)  r = Concat <axis = 1>(a, b, c, a) })")));
  ASSERT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(graph.nodes[0].inputs, (std::vector<ValueId>{graph.inputs[0], graph.inputs[1]}));
  EXPECT_EQ(graph.nodes[1].inputs, (std::vector<ValueId>{graph.outputs[0], graph.inputs[2]}));
  EXPECT_EQ(graph.nodes[2].inputs, (std::vector<ValueId>{graph.outputs[1], graph.inputs[0]}));
}

TEST(NestConcats, AnotherAxisOrOrderIsAnotherList) {
  const Graph graph = checked(
      nest_concats(build_ok(R"(g (float[2, 2] a, float[2, 2] b) => (float[4, 2] p, float[2, 6] q, float[2, 6] r) {
    p = Concat <axis = 0>(a, b)  q = Concat <axis = 1>(a, b, a)  r = Concat <axis = 1>(b, a, b) })")));
  for (size_t i : {size_t{1}, size_t{2}}) EXPECT_EQ(graph.nodes[i].inputs.size(), 3U);
}

TEST(RemoveIdentities, OutputsKeepMemoryOfTheirOwn) {
  EXPECT_EQ(ops_of(remove_identities(build_ok("g (float[4] x) => (float[4] y) { y = Identity(x) }"))), "Identity");
  EXPECT_EQ(ops_of(remove_identities(
                build_ok("g (float[4] x) => (float[4] y, float[4] z) { y = Relu(x)  z = Identity(y) }"))),
            "Relu Identity");
}

std::vector<double> numbers(const Constant& c) {
  std::vector<double> out;
  for (int64_t i = 0; i < c.count(); ++i) out.push_back(c.real(i));
  return out;
}

// What the weights are multiplied by when they are packed, by output channel.
std::vector<double> scale_of(const Node& layer) {
  const Constant* scale = layer.tensor("weight_scale");
  return scale ? numbers(*scale) : std::vector<double>{};
}

TEST(FoldAffine, BatchNormalizationGoesIntoTheWeights) {
  const Graph graph = checked(fold_affine(build_ok(R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y)
    <float[2, 1, 1, 1] w = {2.5, 3}, float[2] b = {1, -1}, float[2] scale = {0.5, 4}, float[2] shift = {10, 20}, float[2] mean = {1, 2},
     float[2] var = {3, 15}> {
      c = Conv(x, w, b)  y = BatchNormalization <epsilon = 1.0>(c, scale, shift, mean, var) })")));
  ASSERT_EQ(ops_of(graph), "Conv");
  // scale / sqrt(var + epsilon): 0.25 and 1.
  EXPECT_EQ(scale_of(graph.nodes[0]), (std::vector<double>{0.25, 1}));
  EXPECT_EQ(numbers(*graph.constant(graph.nodes[0].inputs[2])), (std::vector<double>{10, 17}));
}

TEST(FoldAffine, OtherAxesThanTheLayersAreNotItsChannels) {
  // Axis 1 is normalised, the product's columns are axis 2: as long, so that shapes do not tell.
  EXPECT_EQ(ops_of(checked(fold_affine(build_ok(R"(g (float[1, 2, 3] x) => (float[1, 2, 2] y)
    <float[3, 2] w = {1.5, 2, 3, 4, 5, 6}, float[2] b = {1, 2}, float[2] scale = {0.5, 4}, float[2] shift = {10, 20},
     float[2] mean = {1, 2}, float[2] var = {3, 15}> {
      c = MatMul(x, w)  d = Add(c, b)  y = BatchNormalization(d, scale, shift, mean, var) })")))),
            "MatMul Affine");
  EXPECT_EQ(ops_of(checked(fold_affine(build_ok(R"(g (float[2, 3] x) => (float[2, 2] y)
    <float[3, 2] w = {1.5, 2, 3, 4, 5, 6}, float[2] scale = {0.5, 4}, float[2] shift = {10, 20}, float[2] mean = {1, 2},
     float[2] var = {3, 15}> {
      c = MatMul(x, w)  y = BatchNormalization(c, scale, shift, mean, var) })")))),
            "MatMul");
}

TEST(FoldAffine, PerChannelArithmeticGoesToo) {
  const Graph graph = checked(fold_affine(build_ok(R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y)
    <float[2, 1, 1, 1] w = {2.5, 3}, float[1, 2, 1, 1] m = {0.5, 2}, float[2, 1, 1] a = {7, 8}> { c = Conv(x, w)  d = Mul(c, m)  y = Add(d, a) })")));
  ASSERT_EQ(ops_of(graph), "Conv");
  EXPECT_EQ(scale_of(graph.nodes[0]), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(numbers(*graph.constant(graph.nodes[0].inputs[2])), (std::vector<double>{7, 8}));
}

TEST(FoldAffine, WholeNumberWeightsAreNotScaled) {
  // They carry quantised arithmetic: scaling would move its roundings. Additions are exact.
  EXPECT_EQ(ops_of(fold_affine(build_ok(
                R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float[2] m = {0.5, 0.25}> {
      c = MatMul(x, w)  y = Mul(c, m) })"))),
            "MatMul Mul");
  EXPECT_EQ(ops_of(fold_affine(
                build_ok(R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float[2] a = {3, 4}> {
      c = MatMul(x, w)  y = Add(c, a) })"))),
            "MatMul");
}

TEST(FoldAffine, SharedResultsAndWeightsAreLeftAlone) {
  // The layer's own result is read elsewhere.
  EXPECT_EQ(
      ops_of(
          fold_affine(build_ok(
              R"(g (float[1, 2] x) => (float[1, 2] y, float[1, 2] z) <float[2, 2] w = {1, 2, 3, 4}, float[2] m = {2, 2}> {
      c = MatMul(x, w)  y = Mul(c, m)  z = Relu(c) })")))
          .find("MatMul"),
      0u);
  // Two layers share the weights: only one of them is scaled.
  const Graph graph = checked(fold_affine(build_ok(R"(g (float[1, 2] x) => (float[1, 2] y, float[1, 2] z)
    <float[2, 2] w = {1.5, 2, 3, 4}, float[2] m = {2, 4}> { c = MatMul(x, w)  y = Mul(c, m)  z = MatMul(x, w) })")));
  ASSERT_EQ(ops_of(graph), "MatMul MatMul");
  for (const Node& node : graph.nodes) {
    const bool scaled = graph[node.outputs[0]].name == "y";
    EXPECT_EQ(scale_of(node), (scaled ? std::vector<double>{2, 4} : std::vector<double>{})) << graph::dump(graph);
  }
}

TEST(FuseClamp, BoundsGoIntoTheLayer) {
  const Graph graph = checked(
      fuse_clamp(build_ok(R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float six = {6}> {
      a = MatMul(x, w)  b = Relu(a)  y = Clip(b, , six) })")));
  ASSERT_EQ(ops_of(graph), "MatMul");
  EXPECT_EQ(graph.nodes[0].real("clamp_lo", -1), 0);
  EXPECT_EQ(graph.nodes[0].real("clamp_hi", -1), 6);
  EXPECT_EQ(graph[graph.outputs[0]].name, "y");
  EXPECT_EQ(graph.nodes[0].origins.size(), 3u);
}

TEST(FuseClamp, ChainsAreComposedInOrder) {
  // max(min(v, 1), 3) is 3 for every v.
  const Graph graph = checked(fuse_clamp(build_ok(
      R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float one = {1}, float three = {3}> {
      a = MatMul(x, w)  b = Clip(a, , one)  y = Clip(b, three) })")));
  ASSERT_EQ(ops_of(graph), "MatMul");
  EXPECT_EQ(graph.nodes[0].real("clamp_lo", -1), 3);
  EXPECT_EQ(graph.nodes[0].real("clamp_hi", -1), 3);
}

TEST(FuseClamp, ResultsReadTwiceStay) {
  EXPECT_EQ(
      ops_of(fuse_clamp(build_ok(R"(g (float[1, 2] x) => (float[1, 2] y, float[1, 2] z) <float[2, 2] w = {1, 2, 3, 4}> {
      a = MatMul(x, w)  y = Relu(a)  z = Neg(a) })"))),
      "MatMul Relu Neg");
  EXPECT_EQ(
      ops_of(fuse_clamp(build_ok(R"(g (float[1, 2] x) => (float[1, 2] a, float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}> {
      a = MatMul(x, w)  y = Relu(a) })"))),
      "MatMul Relu");
}

TEST(FuseResidual, TheLaterLayerTakesTheSumIn) {
  const Graph graph = checked(fuse_residual(
      build_ok(R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}, float[2, 2] v = {1, 0, 0, 1}> {
      a = MatMul(x, w)  b = MatMul(x, v)  y = Add(a, b) })")));
  ASSERT_EQ(ops_of(graph), "MatMul MatMul");
  EXPECT_FALSE(graph.nodes[0].has_input(3));
  ASSERT_TRUE(graph.nodes[1].has_input(3));
  EXPECT_EQ(graph.nodes[1].inputs[3], graph.nodes[0].outputs[0]);
}

// What several layers add is made behind them all: each follows it, the one that was found last first.
TEST(FuseResidual, LayersMoveBehindWhatTheyAdd) {
  const Graph graph = checked(fuse_residual(build_ok(
      R"(g (float[1, 2] x) => (float[1, 2] y, float[1, 2] z, float[1, 2] s) <float[2, 2] w = {1, 2, 3, 4}> {
      a = MatMul(x, w)  b = MatMul(x, w)  c = MatMul(a, w)  d = MatMul(b, w)  e = Exp(x)  y = Add(c, e)  z = Add(e, d)
      f = MatMul(z, w)  s = Add(f, z) })")));
  ASSERT_EQ(ops_of(graph), "MatMul MatMul Exp MatMul MatMul MatMul");
  std::string made;
  for (const Node& node : graph.nodes) made += graph[node.outputs[0]].name;
  EXPECT_EQ(made, "abezys");
}

TEST(FuseResidual, NotWhenBroadcastOrDoubled) {
  EXPECT_EQ(
      ops_of(fuse_residual(build_ok(R"(g (float[3, 2] x, float[2] r) => (float[3, 2] y) <float[2, 2] w = {1, 2, 3, 4}> {
      a = MatMul(x, w)  y = Add(a, r) })"))),
      "MatMul Add");
  EXPECT_EQ(
      ops_of(fuse_residual(build_ok(
          R"(g (float[1, 2] x) => (float[1, 2] y) <float[2, 2] w = {1, 2, 3, 4}> { a = MatMul(x, w)  y = Add(a, a) })"))),
      "MatMul Add");
}

int transposes(const Graph& graph) {
  int count = 0;
  for (const Node& node : graph.nodes) count += node.op == "Transpose";
  return count;
}

constexpr const char* kTwoConvs = R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y)
  <float[2, 2, 1, 1] w = {1, 2, 3, 4}, float[3, 2, 1, 1] v = {1, 2, 3, 4, 5, 6}> { a = Conv(x, w)  b = Relu(a)  y = Conv(b, v) })";

TEST(ChooseLayout, TransposesStandOnlyAtTheEnds) {
  const Graph graph = checked(choose_layout(build_ok(kTwoConvs), {}));
  EXPECT_EQ(ops_of(graph), "Transpose Conv Relu Conv Transpose");
  for (const Node& node : graph.nodes) {
    EXPECT_EQ(node.channels_last, node.op == "Conv");
  }
  EXPECT_EQ(graph.shape(graph.nodes[1].outputs[0]), (Shape{{1, 4, 4, 2}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{1, 3, 4, 4}}));
}

TEST(ChooseLayout, TheCallerMayHandOverChannelsLast) {
  const Graph graph = checked(choose_layout(build_ok(kTwoConvs), {true, true}));
  EXPECT_EQ(transposes(graph), 0);
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{1, 4, 4, 2}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{1, 4, 4, 3}}));
}

constexpr const char* kWide = R"(g (float[1, 1, 4, 6] x) => (float[1, 1, 3, 3] y)
  <float[1, 1, 2, 3] w = {1, 2, 3, 4, 5, 6}> { a = Relu(x)  y = Conv <strides = [1, 2], pads = [0, 1, 0, 0]>(a, w) })";

TEST(ChooseLayout, ColumnsAreLinesOfAnImageOnItsSide) {
  PassOptions options;
  options.columns = options.line_inputs = options.line_outputs = true;
  const Graph graph = checked(choose_layout(build_ok(kWide), options));
  ASSERT_EQ(ops_of(graph), "Relu Conv");
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{1, 6, 4, 1}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{1, 3, 3, 1}}));
  const Node& conv = graph.nodes[1];
  EXPECT_EQ(conv.integers("strides"), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(conv.integers("pads"), (std::vector<int64_t>{1, 0, 0, 0}));
  const Constant* weights = graph.constant(conv.inputs[1]);
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(weights->shape(), (Shape{{1, 1, 3, 2}}));
  EXPECT_EQ(weights->reals(), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST(ChooseLayout, ColumnsOfAnImageThatTheNetworkTurnsAreItsRows) {
  PassOptions options;
  options.columns = options.line_inputs = true;
  const Graph graph = checked(choose_layout(build_ok(R"(g (float[1, 1, 6, 4] x) => (float[1, 1, 3, 3] y)
    <float[1, 1, 2, 3] w = {1, 2, 3, 4, 5, 6}> {
      t = Transpose <perm = [0, 1, 3, 2]>(x)  y = Conv <strides = [1, 2], pads = [0, 1, 0, 0]>(t, w) })"),
                                            options));
  ASSERT_EQ(ops_of(graph), "Conv Transpose");
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{1, 4, 6, 1}}));
  EXPECT_EQ(graph.nodes[0].integers("strides"), (std::vector<int64_t>{1, 2}));
}

TEST(ChooseLayout, LinesOfOneChannelAreHandedOverAsTheFirstLayerWantsThem) {
  PassOptions options;
  options.line_inputs = options.line_outputs = true;
  const Graph graph = checked(choose_layout(build_ok(kWide), options));
  ASSERT_EQ(ops_of(graph), "Relu Conv");
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{1, 4, 6, 1}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{1, 3, 3, 1}}));
}

TEST(ChooseLayout, ImagesOnTheirSideKeepTheModelsPortsWhereThoseAreNoLines) {
  PassOptions options;
  options.columns = true;
  const Graph graph = checked(choose_layout(build_ok(kWide), options));
  EXPECT_EQ(graph.shape(graph.inputs[0]), (Shape{{1, 1, 4, 6}}));
  EXPECT_EQ(graph.shape(graph.outputs[0]), (Shape{{1, 1, 3, 3}}));
}

TEST(FuseRotary, HalvesAreFoundInSlicesAndSplits) {
  const std::string rest = "  n = Neg(b)  r = Concat <axis = -1>(n, a)  p = Mul(x, c)  q = Mul(r, s)  y = Add(p, q) }";
  const std::string ports = "g (float[2, 3, 5, 8] x, float[5, 8] c, float[5, 8] s) => (float[2, 3, 5, 8] y) ";
  const std::string lists = "<int64[1] zero = {0}, int64[1] half = {4}, int64[1] all = {8}, int64[1] axis = {3}> ";
  for (const std::string& text :
       {ports + lists + "{ a = Slice(x, zero, half, axis)  b = Slice(x, half, all, axis)" + rest,
        ports + "{ a, b = Split <axis = 3>(x)" + rest}) {
    const Graph graph = checked(fuse_rotary(build_ok(text)));
    EXPECT_EQ(ops_of(graph), "Rotary");
    EXPECT_EQ(graph.nodes[0].integers("dims"), (std::vector<int64_t>{2, 3, 5}));
    EXPECT_EQ(graph.nodes[0].integers("step"), (std::vector<int64_t>{0, 0, 8}));
  }
  // The halves the other way round turn backwards: left alone.
  const Graph other =
      fuse_rotary(build_ok(ports + lists + "{ b = Slice(x, zero, half, axis)  a = Slice(x, half, all, axis)" + rest));
  EXPECT_EQ(other.nodes.size(), 7u);
}

TEST(UnpackElements, WhatTakesPartsOfBytesApartGetsCodes) {
  const Graph graph =
      checked(unpack_elements(build_ok("g (int4[3, 5] x) => (int4[3, 5] y) { t = Transpose(x)  y = Transpose(t) }")));
  // Between the two they stay codes.
  EXPECT_EQ(ops_of(graph), "BitCast Cast Transpose Transpose Cast BitCast");
  EXPECT_EQ(graph.dtype(graph.inputs[0]), DType::int4);
  EXPECT_EQ(graph.dtype(graph.outputs[0]), DType::int4);
  EXPECT_EQ(graph.dtype(graph.nodes[2].outputs[0]), DType::uint8);
}

TEST(UnpackElements, PartsOfWholeBytesStayPacked) {
  EXPECT_EQ(ops_of(unpack_elements(
                build_ok("g (uint4[2, 4] x, uint4[2, 2] z) => (uint4[2, 6] y) { y = Concat <axis = 1>(x, z) }"))),
            "Concat");
  EXPECT_EQ(ops_of(unpack_elements(
                build_ok("g (uint4[2, 3] x, uint4[2, 3] z) => (uint4[2, 6] y) { y = Concat <axis = 1>(x, z) }"))),
            "Cast Cast Concat Cast");
}

TEST(RunPasses, EveryPassLeavesASoundGraph) {
  std::vector<std::string> seen;
  const Graph graph = run_passes(build_ok(R"(g (float[1, 2, 4, 4] x, bool c) => (float[1, 2, 4, 4] y)
    <float[2, 2, 1, 1] w = {1, 2, 3, 4}, float[2] s = {1, 2}, float[2] z = {0, 0}, float[2] o = {1, 1}> {
      a = Conv(x, w)  b = BatchNormalization(a, s, z, z, o)  r = Relu(b)
      i = If <then_branch = t () => (float[1, 2, 4, 4] p) { q = Identity(r)  p = Conv(q, w) }, else_branch = e () => (float[1, 2, 4, 4] q) { q = Neg(r) }>(c)
      y = Add(i, x) })"),
                                 {}, [&](const std::string& pass, const Graph& g) {
                                   seen.push_back(pass);
                                   EXPECT_EQ(graph::verify(g), std::vector<std::string>{}) << pass;
                                 });
  EXPECT_NE(ops_of(graph).find("If"), std::string::npos);
  EXPECT_EQ(ops_of(graph).find("BatchNormalization"), std::string::npos);
  EXPECT_EQ(ops_of(graph).find("Relu"), std::string::npos);
  EXPECT_GE(seen.size(), 5u);
}

}  // namespace
}  // namespace tarn::passes
