#include <gtest/gtest.h>

#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

std::string code_of(const std::string& graph) { return codes(load(parse_graph(graph))); }

std::string faults_of(const onnx::ModelProto& model) {
  const auto result = load(model);
  return result ? "" : texts(result.faults());
}

TEST(CheckGraph, UndefinedValues) {
  const std::string text = faults_of(parse_graph("g (float[2] x) => (float[2] y) { h = Relu(x)  y = Add(h, ghost) }"));
  EXPECT_NE(text.find("node 1 (Add): error E201: input 'ghost' is made by no node"), std::string::npos) << text;
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { z = Relu(x) }"), "E201");
}

TEST(CheckGraph, Order) {
  const std::string unsorted = faults_of(parse_graph("g (float[2] x) => (float[2] y) { y = Neg(h)  h = Relu(x) }"));
  EXPECT_NE(unsorted.find("not in topological order"), std::string::npos) << unsorted;
  const std::string cycle =
      faults_of(parse_graph("g (float[2] x) => (float[2] y) { a = Add(x, b)  b = Relu(a)  y = Neg(b) }"));
  EXPECT_NE(cycle.find("cycle"), std::string::npos) << cycle;
  EXPECT_EQ(cycle.find("twice"), std::string::npos) << cycle;
  EXPECT_NE(faults_of(parse_graph("g (float[2] x) => (float[2] y) { y = Add(x, y) }")).find("cycle"),
            std::string::npos);
}

TEST(CheckGraph, NamesAreMadeOnce) {
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Relu(x)  y = Neg(x) }"), "E201");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { x = Relu(x)  y = Neg(x) }"), "E201");
  EXPECT_EQ(code_of("g (float[2] x, float[2] x) => (float[2] y) { y = Relu(x) }"), "E201");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] w = {1, 2}> { y = Add(x, w) }"),
            "E201");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] w) <float[2] w = {1, 2}> { w = Relu(x) }"), "E201");
}

TEST(CheckGraph, OutputsOfOneNameAreCopies) {
  const auto loaded = load(parse_graph(
      "g (float[2] x) => (float[2] y, float[2] y_2, float[2] y, float[2] y) { y = Relu(x)  y_2 = Neg(y) }"));
  ASSERT_TRUE(loaded) << texts(loaded.faults());
  std::string names;
  for (const ValueInfo& output : loaded->graph.outputs) names += output.name + " ";
  EXPECT_EQ(names, "y y_2 y_3 y_4 ");
  EXPECT_EQ(loaded->graph.nodes.back().op, "Identity");
  EXPECT_EQ(loaded->graph.nodes.back().inputs, std::vector<std::string>{"y"});
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] x, float[2] x) { z = Relu(x) }"), "");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y, float[2] y) { z = Relu(x) }"), "E201");
}

TEST(CheckGraph, GraphsInside) {
  const char* const kIf =
      "g (bool c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (float[2] %s) { %s }, "
      "else_branch = e () => (float[2] q) { q = Neg(x) }>(c) }";
  auto with = [&](const std::string& output, const std::string& nodes) {
    char text[500];
    std::snprintf(text, sizeof text, kIf, output.c_str(), nodes.c_str());
    return code_of(text);
  };
  EXPECT_EQ(with("p", "p = Relu(x)"), "");
  EXPECT_EQ(with("q", "q = Relu(x)"), "");  // beside each other, names may repeat
  EXPECT_EQ(with("p", "p = Relu(ghost)"), "E201");
  EXPECT_EQ(with("p", "x = Neg(c)  p = Relu(x)"), "E201");  // hides an outer value
  EXPECT_EQ(with("x", "p = Relu(x)"), "E201");              // an outer value cannot be an output
  EXPECT_EQ(with("p", "p = Relu(y)"), "E201");              // not made yet
}

TEST(CheckGraph, EveryFaultIsTold) {
  EXPECT_EQ(
      code_of(
          "g (float[2] x) => (float[2] y, float[2] z) { a = Relu(ghost)  a = Neg(phantom)  y = Relu <alpha = 1>(x) }"),
      "E201 E201 E201 E201 E107");
}

TEST(CheckGraph, ManyFaultsAreBounded) {
  onnx::ModelProto proto = parse_graph("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  for (int i = 0; i < 20000; ++i) {
    auto* node = proto.mutable_graph()->add_node();
    node->set_op_type("Relu");
    node->add_input("v" + std::to_string(i + 1));
    node->add_output("v" + std::to_string(i));
  }
  const auto result = load(proto);
  ASSERT_FALSE(result.ok());
  EXPECT_LE(result.faults().size(), 2000u);
}

TEST(CheckGraph, DeclaredTypes) {
  onnx::ModelProto proto = parse_graph("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  auto* input = proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  const auto* original = new onnx::TypeProto_Tensor(*input);
  input->mutable_shape()->mutable_dim(0)->set_dim_value(-5);
  EXPECT_EQ(codes(load(proto)), "E207");
  input->mutable_shape()->mutable_dim(0)->set_dim_value(int64_t{1} << 62);
  EXPECT_EQ(codes(load(proto)), "E207");
  input->mutable_shape()->mutable_dim(0)->set_dim_value(int64_t{1} << 31);
  input->mutable_shape()->add_dim()->set_dim_value(int64_t{1} << 31);
  EXPECT_EQ(codes(load(proto)), "E207");
  *input = *original;
  for (int i = 0; i < 100000; ++i) input->mutable_shape()->add_dim()->set_dim_value(1);
  EXPECT_EQ(codes(load(proto)), "E207");
  *input = *original;
  for (const int type : {0, 15 + 12, 999, -1}) {
    input->set_elem_type(type);
    EXPECT_EQ(codes(load(proto)), "E107") << type;
  }
  proto.mutable_graph()->mutable_input(0)->clear_type();
  EXPECT_EQ(codes(load(proto)), "E107");
  delete original;
}

TEST(CheckNodes, AttributesAndCounts) {
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Relu <alpha = 1.0>(x) }"), "E107");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = LeakyRelu <alpha = 1>(x) }"), "E107");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Cast(x) }"), "E107");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Relu(x, x) }"), "E107");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Relu() }"), "E107");
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y, float[2] z) { y, z = Relu(x) }"), "E107");
  EXPECT_EQ(
      code_of(
          "g (bool c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (float[2] p) { p = Relu(x) }>(c) }"),
      "E107");
}

TEST(CheckNodes, MalformedAttributes) {
  const onnx::ModelProto good = parse_graph("g (float[2] x) => (float[2] y) { y = LeakyRelu <alpha = 0.5>(x) }");
  auto code_with = [&](const std::function<void(onnx::NodeProto*, onnx::AttributeProto*)>& change) {
    onnx::ModelProto proto = good;
    change(proto.mutable_graph()->mutable_node(0), proto.mutable_graph()->mutable_node(0)->mutable_attribute(0));
    return codes(load(proto));
  };
  EXPECT_EQ(code_with([](auto*, auto* a) { a->clear_type(); }), "E107");
  EXPECT_EQ(code_with([](auto*, auto* a) { a->set_i(3); }), "E107");  // two values
  EXPECT_EQ(code_with([](auto*, auto* a) { a->clear_name(); }), "E107");
  EXPECT_EQ(code_with([](auto*, auto* a) { a->set_type(onnx::AttributeProto::INTS); }), "E107");
  EXPECT_EQ(code_with([](auto*, auto* a) { a->set_ref_attr_name("alpha"); }), "E107");
  EXPECT_EQ(code_with([](auto* n, auto* a) { *n->add_attribute() = *a; }), "E107");
  EXPECT_EQ(code_with([](auto* n, auto*) { n->set_domain("ai.onnx.ml"); }), "E107");  // not imported
  EXPECT_EQ(code_with([](auto* n, auto*) { n->clear_op_type(); }), "E201");
  // An operator nobody knows: its attributes must still be sound.
  EXPECT_EQ(code_with([](auto* n, auto*) { n->set_domain("my.own"); }), "");
  EXPECT_EQ(code_with([](auto* n, auto* a) {
              n->set_domain("my.own");
              a->clear_f();
              a->set_type(onnx::AttributeProto::TENSOR);
            }),
            "E107");
}

TEST(CheckNodes, UnknownOperatorsAreNoFaultOfTheFile) {
  EXPECT_EQ(code_of("g (float[2] x) => (float[2] y) { y = Frobnicate <level = 3>(x) }"), "");
  // An operator of a later opset has its first definition.
  const Model model =
      load_ok(parse_model("<ir_version: 8, opset_import: [\"\" : 13]> g (float[2,3] x, float[3] s) => (float[2,3] y) "
                          "{ y = LayerNormalization(x, s) }"));
  EXPECT_EQ(since_version("", "LayerNormalization", model.opsets), 17);
}

}  // namespace
}  // namespace tarn::model
