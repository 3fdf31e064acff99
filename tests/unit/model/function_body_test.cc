#include <gtest/gtest.h>

#include <set>

#include "model/node_facts.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

struct Body {
  GraphDefPtr graph;
  std::map<std::string, int> opsets;
};

Body body_of(const std::string& graph, int opset) {
  const Model model =
      load_ok(parse_model("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + graph));
  const NodeDef& node = model.graph.nodes.at(0);
  NodeQuery query{&node, &model.opsets, {}, {}};
  for (const std::string& input : node.inputs) {
    Type type;
    for (const ValueInfo& value : model.graph.inputs) {
      if (value.name == input) type = value.type;
    }
    query.input_types.push_back(type);
    query.input_values.push_back(nullptr);
  }
  Body body;
  body.graph = function_body(query, &body.opsets);
  return body;
}

// Everything used is defined, nothing twice, and every operator is known under the body's imports.
void expect_sound(const Body& body) {
  ASSERT_NE(body.graph, nullptr);
  std::set<std::string> defined;
  for (const ValueInfo& input : body.graph->inputs) defined.insert(input.name);
  for (const NodeDef& node : body.graph->nodes) {
    EXPECT_TRUE(since_version(node.domain, node.op, body.opsets)) << node.op;
    for (const std::string& input : node.inputs) EXPECT_TRUE(input.empty() || defined.contains(input)) << input;
    for (const std::string& output : node.outputs)
      EXPECT_TRUE(output.empty() || defined.insert(output).second) << output;
  }
  for (const ValueInfo& output : body.graph->outputs)
    EXPECT_TRUE(output.name.empty() || defined.contains(output.name)) << output.name;
}

TEST(FunctionBody, FixedOnes) {
  const Body body = body_of("g (float[2] x) => (float[2] y) { y = Softsign(x) }", 22);
  expect_sound(body);
  EXPECT_EQ(body.graph->inputs.size(), 1u);
  EXPECT_EQ(to_string(body.graph->inputs[0].type), "float32[2]");
  EXPECT_EQ(body.graph->outputs.size(), 1u);
}

TEST(FunctionBody, DefaultsAreBound) {
  const Body body = body_of("g (float[2] x) => (float[2] y) { y = Elu(x) }", 22);
  expect_sound(body);
  bool found = false;
  for (const NodeDef& node : body.graph->nodes) {
    if (node.op != "Constant") continue;
    const auto value = node.attributes.find("value_float");
    found |= value != node.attributes.end() && std::get<float>(value->second) == 1.0f;
  }
  EXPECT_TRUE(found);
}

TEST(FunctionBody, GivenAttributesWin) {
  const Body body = body_of("g (float[2] x) => (float[2] y) { y = Elu <alpha = 3.0>(x) }", 22);
  bool found = false;
  for (const NodeDef& node : body.graph->nodes) {
    const auto value = node.attributes.find("value_float");
    found |= value != node.attributes.end() && std::get<float>(value->second) == 3.0f;
  }
  EXPECT_TRUE(found);
}

TEST(FunctionBody, ContextDependentOnes) {
  expect_sound(body_of(
      "g (float[2,3,4] x, float[4] s, float[4] b) => (float[2,3,4] y) { y = LayerNormalization <axis = -1>(x, s, b) }",
      17));
  expect_sound(body_of("g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = -1>(x) }", 13));
  expect_sound(body_of("g (float[2,3] x) => (float[2,3] y) { y = Gelu <approximate = \"tanh\">(x) }", 20));
}

TEST(FunctionBody, OmittedInputs) {
  const Body body = body_of("g (float[2] x, float top) => (float[2] y) { y = Clip(x, , top) }", 13);
  expect_sound(body);
  ASSERT_EQ(body.graph->inputs.size(), 3u);
  EXPECT_EQ(body.graph->inputs[1].name, "");
  expect_sound(body_of("g (float[2,3,4] x, float[4] s) => (float[2,3,4] y) { y = LayerNormalization(x, s) }", 17));
}

TEST(FunctionBody, OlderOpsetsTakeTheOldestBody) {
  const Body body = body_of("g (float[2] x) => (float[2] y) { y = Relu(x) }", 14);
  expect_sound(body);
  EXPECT_GE(body.opsets.at(""), 14);
}

TEST(FunctionBody, NoneWhereThereIsNone) {
  EXPECT_EQ(body_of("g (float[2] x, float[2] w) => (float[2] y) { y = Add(x, w) }", 17).graph, nullptr);
  EXPECT_EQ(body_of("g (float[2] x) => (float[2] y) { y = Frobnicate(x) }", 17).graph, nullptr);
  EXPECT_EQ(body_of("g (float[3,3,3,3,3] x) => (float[2] y) { y = Softmax <axis = 99999999999>(x) }", 13).graph,
            nullptr);
}

TEST(FunctionBody, PlacesAreThoseOfTheNode) {
  const Body body = body_of("g (float[2] x) => (float[2] y) { y = Softsign(x) }", 22);
  for (const NodeDef& node : body.graph->nodes) EXPECT_EQ(node.index, 0);
}

}  // namespace
}  // namespace tarn::model
