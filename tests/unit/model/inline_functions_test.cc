#include <gtest/gtest.h>

#include "support/text.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

const char* const kHead = "<ir_version: 10, opset_import: [\"\" : 18, \"local\" : 1]>\n";

// "Mul(x,two)->y" for each node.
std::vector<std::string> nodes_of(const Model& model) {
  std::vector<std::string> out;
  for (const NodeDef& n : model.graph.nodes)
    out.push_back(n.op + "(" + join(n.inputs, ",") + ")->" + join(n.outputs, ","));
  return out;
}

TEST(InlineFunctions, CallsBecomeBodies) {
  const Model model = load_ok(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { h = local.twice(x)  y = local.twice(h) }
    <domain: "local", opset_import: ["" : 18]> twice (a) => (b) { t = Identity(a)  b = Add(t, a) })"));
  const std::vector<std::string> nodes = nodes_of(model);
  ASSERT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes[0].substr(0, 12), "Identity(x)-");
  EXPECT_EQ(nodes[1].substr(nodes[1].size() - 6), ",x)->h");
  EXPECT_EQ(nodes[3].substr(nodes[3].size() - 6), ",h)->y");
  // Inner names of the two calls differ, and the places are those of the calls.
  EXPECT_NE(model.graph.nodes[0].outputs, model.graph.nodes[2].outputs);
  EXPECT_EQ(model.graph.nodes[1].index, 0);
  EXPECT_EQ(model.graph.nodes[2].index, 1);
}

TEST(InlineFunctions, InnerNamesTellWhereTheyAreFrom) {
  onnx::ModelProto proto = parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.f(x) }
    <domain: "local", opset_import: ["" : 18]> f (a) => (b) { t = Relu(a)  b = Neg(t) })");
  proto.mutable_graph()->mutable_node(0)->set_name("block");
  EXPECT_EQ(nodes_of(load_ok(proto)), (std::vector<std::string>{"Relu(x)->block/t", "Neg(block/t)->y"}));
  // Also when the graph has taken that name.
  proto.mutable_graph()->mutable_input(0)->set_name("block/t");
  proto.mutable_graph()->mutable_node(0)->set_input(0, "block/t");
  const Model model = load_ok(proto);
  EXPECT_EQ(model.graph.nodes[0].inputs[0], "block/t");
  EXPECT_NE(model.graph.nodes[0].outputs[0], "block/t");
}

TEST(InlineFunctions, NestedCallsAndOverloads) {
  onnx::ModelProto proto = parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.outer(x) }
    <domain: "local", opset_import: ["" : 18, "local" : 1]> outer (a) => (b) { t = local.inner(a)  b = local.inner(t) }
    <domain: "local", opset_import: ["" : 18]> inner (a) => (b) { b = Relu(a) }
    <domain: "local", opset_import: ["" : 18]> inner (a) => (b) { b = Neg(a) })");
  proto.mutable_functions(2)->set_overload("negative");
  proto.mutable_functions(0)->mutable_node(1)->set_overload("negative");
  const Model model = load_ok(proto);
  ASSERT_EQ(model.graph.nodes.size(), 2u);
  EXPECT_EQ(model.graph.nodes[0].op, "Relu");
  EXPECT_EQ(model.graph.nodes[1].op, "Neg");
}

TEST(InlineFunctions, AttributesAreBoundOrDefaulted) {
  const std::string text = std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { h = local.f <slope = 0.5>(x)  y = local.f(h) }
    <domain: "local", opset_import: ["" : 18]> f <slope: float = 0.25, other> (a) => (b) {
      t = LeakyRelu <alpha: float = @slope>(a)  b = Elu <alpha: float = @other>(t) })";
  const Model model = load_ok(parse_model(text));
  ASSERT_EQ(model.graph.nodes.size(), 4u);
  EXPECT_EQ(std::get<float>(model.graph.nodes[0].attributes.at("alpha")), 0.5f);
  EXPECT_EQ(std::get<float>(model.graph.nodes[2].attributes.at("alpha")), 0.25f);
  EXPECT_FALSE(model.graph.nodes[1].attributes.contains("alpha"));  // not given: Elu's own default
}

TEST(InlineFunctions, ReferencesThroughSeveralLevels) {
  const Model model = load_ok(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.outer <k = 2.0>(x) }
    <domain: "local", opset_import: ["" : 18, "local" : 1]> outer <k> (a) => (b) { b = local.inner <alpha: float = @k>(a) }
    <domain: "local", opset_import: ["" : 18]> inner <alpha> (a) => (b) { b = LeakyRelu <alpha: float = @alpha>(a) })"));
  EXPECT_EQ(std::get<float>(model.graph.nodes[0].attributes.at("alpha")), 2.0f);
}

TEST(InlineFunctions, OmittedInputsAndOutputs) {
  onnx::ModelProto proto = parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.f(x) }
    <domain: "local", opset_import: ["" : 18]> f (a, low, high) => (b, unused) { unused = Neg(a)  b = Clip(a, low, high) })");
  const std::vector<std::string> nodes = nodes_of(load_ok(proto));
  EXPECT_EQ(nodes[1], "Clip(x,,)->y");
}

TEST(InlineFunctions, OutputThatIsAnInput) {
  const std::vector<std::string> nodes = nodes_of(load_ok(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y, float[2] z) { y, z = local.f(x) }
    <domain: "local", opset_import: ["" : 18]> f (a) => (b, a) { b = Relu(a) })")));
  EXPECT_EQ(nodes, (std::vector<std::string>{"Relu(x)->y", "Identity(x)->z"}));
}

TEST(InlineFunctions, InsideGraphsOfNodes) {
  const Model model = load_ok(parse_model(std::string(kHead) + R"(
    g (bool c, float[2] x) => (float[2] y) {
      y = If <then_branch = t () => (float[2] p) { p = local.f(x) }, else_branch = e () => (float[2] q) { q = local.f(x) }>(c) }
    <domain: "local", opset_import: ["" : 18]> f (a) => (b) { m = Relu(a)  b = Neg(m) })"));
  const auto& branch = std::get<GraphDefPtr>(model.graph.nodes[0].attributes.at("then_branch"));
  EXPECT_EQ(branch->nodes.size(), 2u);
  EXPECT_EQ(branch->nodes[0].op, "Relu");
}

TEST(InlineFunctions, BodiesDoNotSeeTheCaller) {
  // "secret" is a value of the caller; the function's use of that name is undefined.
  EXPECT_EQ(codes(load(parse_model(std::string(kHead) + R"(
    g (float[2] secret) => (float[2] y) { y = local.f(secret) }
    <domain: "local", opset_import: ["" : 18]> f (a) => (b) { b = Add(a, secret) })"))),
            "E201");
}

TEST(InlineFunctions, Faults) {
  const char* const kBody = "<domain: \"local\", opset_import: [\"\" : 18]> f (a) => (b) { b = Relu(a) }";
  EXPECT_EQ(
      codes(load(parse_model(std::string(kHead) + "g (float[2] x) => (float[2] y) { y = local.f(x, x) }" + kBody))),
      "E201");
  EXPECT_EQ(codes(load(
                parse_model(std::string(kHead) + "g (float[2] x) => (float[2] y) { y = local.f(x) }" + kBody + kBody))),
            "E201");
  EXPECT_EQ(codes(load(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.f(x) }
    <domain: "local", opset_import: ["local" : 1]> f (a) => (b) { b = local.g(a) }
    <domain: "local", opset_import: ["local" : 1]> g (a) => (b) { b = local.f(a) })"))),
            "E201");
  // ReduceMean takes its axes as an input only since opset 18.
  EXPECT_EQ(codes(load(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[1] y) { y = local.f(x) }
    <domain: "local", opset_import: ["" : 13]> f (a) => (b) { b = ReduceMean <axes = [0]>(a) })"))),
            "E108");
  // An older import is fine where the operator has not changed.
  EXPECT_EQ(codes(load(parse_model(std::string(kHead) + R"(
    g (float[2] x) => (float[2] y) { y = local.f(x) }
    <domain: "local", opset_import: ["" : 16]> f (a) => (b) { b = Relu(a) })"))),
            "");
}

TEST(InlineFunctions, GrowthIsBounded) {
  // Each function calls the next one twice: 2^60 nodes.
  std::string text = std::string(kHead) + "g (float[2] x) => (float[2] y) { y = local.f0(x) }\n";
  for (int i = 0; i < 60; ++i) {
    text += cat("<domain: \"local\", opset_import: [\"local\" : 1]> f", i, " (a) => (b) { t = local.f", i + 1,
                "(a)  b = local.f", i + 1, "(t) }\n");
  }
  text += "<domain: \"local\", opset_import: [\"\" : 18]> f60 (a) => (b) { b = Relu(a) }";
  EXPECT_EQ(codes(load(parse_model(text))), "E103");
}

}  // namespace
}  // namespace tarn::model
