#include <gtest/gtest.h>

#include "model/node_facts.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

onnx::ModelProto old_model(int opset, const std::string& graph) {
  return parse_model("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + graph);
}

TEST(ConvertOpset, BinaryOperatorsAlignAtTheirAxis) {
  const Model model = load_ok(old_model(6, R"(g (float[2,3,4,5] x, float[3] b) => (float[2,3,4,5] y) {
    y = Add <broadcast = 1, axis = 1>(x, b) })"));
  EXPECT_EQ(model.opsets.at(""), 7);
  ASSERT_EQ(model.graph.nodes.size(), 2u);
  EXPECT_EQ(model.graph.nodes[0].op, "Unsqueeze");
  EXPECT_EQ(std::get<std::vector<int64_t>>(model.graph.nodes[0].attributes.at("axes")), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(model.graph.nodes[1].inputs[1], model.graph.nodes[0].outputs[0]);
  EXPECT_TRUE(model.graph.nodes[1].attributes.empty());
  const Inferred inferred = infer_graph(model.graph, model.opsets);
  EXPECT_EQ(texts(inferred.faults), "");
  EXPECT_EQ(to_string(inferred.types.at("y")), "float32[2,3,4,5]");
}

TEST(ConvertOpset, SuffixesNeedNothing) {
  for (const char* attributes : {"<broadcast = 1>", "<broadcast = 1, axis = 2>", ""}) {
    const char* second = *attributes ? "float[4,5] b" : "float[2,3,4,5] b";
    const Model model = load_ok(old_model(6, std::string("g (float[2,3,4,5] x, ") + second +
                                                 ") => (float[2,3,4,5] y) { y = Mul " + attributes + "(x, b) }"));
    ASSERT_EQ(model.graph.nodes.size(), 1u) << attributes;
    EXPECT_TRUE(model.graph.nodes[0].attributes.empty());
  }
}

TEST(ConvertOpset, RanksAreFollowedThroughTheGraph) {
  const Model model = load_ok(old_model(6, R"(g (float[2,3,4] x, float[3] b) => (float[2,3,4] y) {
    t = Relu(x)  u = Sub <broadcast = 1, axis = 1>(t, b)  y = Relu(u) })"));
  EXPECT_EQ(model.graph.nodes.size(), 4u);
}

TEST(ConvertOpset, SlopePerChannel) {
  const Model model =
      load_ok(old_model(6, "g (float[2,3,4,5] x, float[3] s) => (float[2,3,4,5] y) { y = PRelu(x, s) }"));
  ASSERT_EQ(model.graph.nodes.size(), 2u);
  EXPECT_EQ(std::get<std::vector<int64_t>>(model.graph.nodes[0].attributes.at("axes")), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(load_ok(old_model(6, "g (float[2,3,4,5] x, float[1] s) => (float[2,3,4,5] y) { y = PRelu(x, s) }"))
                .graph.nodes.size(),
            1u);
}

TEST(ConvertOpset, AttributesThatAreGone) {
  const Model model = load_ok(old_model(6, R"(
    g (float[1,2,4,4] x, float[2] a, float[3,5] m, float[5,2] n, float[2] c) => (float[1,2,8,12] y, float[3,2] z) {
      t = BatchNormalization <is_test = 1, epsilon = 0.5>(x, a, a, a, a)
      u = Dropout <is_test = 1>(t)
      y = Upsample <height_scale = 2.0, width_scale = 3.0, mode = "nearest">(u)
      z = Gemm <broadcast = 1>(m, n, c) })"));
  const auto& nodes = model.graph.nodes;
  EXPECT_FALSE(nodes[0].attributes.contains("is_test"));
  EXPECT_TRUE(nodes[0].attributes.contains("epsilon"));
  EXPECT_TRUE(nodes[1].attributes.empty());
  EXPECT_EQ(std::get<std::vector<float>>(nodes[2].attributes.at("scales")), (std::vector<float>{1, 1, 2, 3}));
  EXPECT_TRUE(nodes[3].attributes.empty());
  const Inferred inferred = infer_graph(model.graph, model.opsets);
  EXPECT_EQ(texts(inferred.faults), "");
  EXPECT_EQ(to_string(inferred.types.at("y")), "float32[1,2,8,12]");
}

TEST(ConvertOpset, OlderOnesThroughTheLibrary) {
  const Model model = load_ok(old_model(4, "g (float[2,3] x) => (float[6] y) { y = Reshape <shape = [6]>(x) }"));
  EXPECT_EQ(model.opsets.at(""), 7);
  EXPECT_EQ(first_output(old_model(4, "g (float[2,3] x) => (float[6] y) { y = Reshape <shape = [6]>(x) }")),
            "float32[6]");
  EXPECT_EQ(model.graph.nodes.back().index, 0);
  EXPECT_EQ(model.ir_version, 8);
}

TEST(ConvertOpset, WhatCannotBeConvertedIsTold) {
  EXPECT_EQ(codes(load(old_model(5, "g (float[2,3] x) => (float[2,3] y) { y = Frobnicate(x) }"))), "E108");
  onnx::ModelProto unranked = old_model(
      6,
      "g (float[2,3] x, float[2] b) => (float[2,3] y) { t = custom.Op(x)  y = Add <broadcast = 1, axis = 0>(t, b) }");
  EXPECT_EQ(codes(load(unranked)), "E108");
}

TEST(ConvertOpset, NewerOnesStayAsTheyAre) {
  EXPECT_EQ(load_ok(old_model(7, "g (float[2] x) => (float[2] y) { y = Relu(x) }")).opsets.at(""), 7);
  EXPECT_EQ(load_ok(old_model(13, "g (float[2] x) => (float[2] y) { y = Relu(x) }")).opsets.at(""), 13);
}

}  // namespace
}  // namespace tarn::model
