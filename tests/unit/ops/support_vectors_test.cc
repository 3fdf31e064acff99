// Support vector machines: the decisions between pairs of classes, and what is refused.
#include <gtest/gtest.h>

#include "ops/ml.h"

namespace tarn::ops {
namespace {

// Three classes of one, two and one vectors, of two features.
Node classifier() {
  using Ints = std::vector<int64_t>;
  using Floats = std::vector<float>;
  Node node;
  node.op = "SVMClassifier";
  node.domain = "ai.onnx.ml";
  node.attributes = {{"kernel_type", std::string("LINEAR")},
                     {"classlabels_ints", Ints{0, 1, 2}},
                     {"vectors_per_class", Ints{1, 2, 1}},
                     {"support_vectors", Floats{1, 0, 0, 1, 1, 1, 2, 1}},
                     {"coefficients", Floats{1, 2, 3, 4, 5, 6, 7, 8}},
                     {"rho", Floats{0.5f, 1, 2}}};
  return node;
}

Answer<model::GraphDefPtr> expand(const Node& node, int64_t features = 2) {
  const Facts facts{node, {{DType::float32, Shape{4, features}}}, {nullptr}, {TensorType{}, TensorType{}}};
  return find_entry("ai.onnx.ml", node.op)->expand(facts);
}

TEST(SupportVectors, EachPairWeighsTheVectorsOfItsClasses) {
  const auto answer = expand(classifier());
  ASSERT_TRUE(std::holds_alternative<model::GraphDefPtr>(answer));
  const model::GraphDef& body = *std::get<model::GraphDefPtr>(answer);
  bool found = false;
  for (const model::Initializer& constant : body.initializers) {
    if (constant.value.shape() != Shape{4, 3}) continue;
    found = true;
    // Columns: classes 0 and 1, 0 and 2, 1 and 2. Vector 0 is of class 0, 1 and 2 of class 1, 3 of class 2.
    EXPECT_EQ(constant.value.reals(), (std::vector<double>{1, 5, 0, 2, 0, 6, 3, 0, 7, 0, 4, 8}));
  }
  EXPECT_TRUE(found);
}

TEST(SupportVectors, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(std::holds_alternative<Fault>(expand(classifier(), 3)));
  Node node = classifier();
  node.attributes["vectors_per_class"] = std::vector<int64_t>{1, 2, INT64_MAX};
  EXPECT_TRUE(std::holds_alternative<Fault>(expand(node)));
  node = classifier();
  node.attributes["prob_a"] = std::vector<float>{1};
  EXPECT_TRUE(std::holds_alternative<Fault>(expand(node)));
  node = classifier();
  node.attributes["rho"] = std::vector<float>{1};
  EXPECT_TRUE(std::holds_alternative<Fault>(expand(node)));
  node = classifier();
  node.attributes.erase("rho");
  EXPECT_TRUE(std::holds_alternative<Fault>(expand(node)));
}

// Two classes, one vector each, without probabilities.
Answer<model::GraphDefPtr> expand_two(const std::string& transform) {
  Node node = classifier();
  node.attributes["classlabels_ints"] = std::vector<int64_t>{0, 1};
  node.attributes["vectors_per_class"] = std::vector<int64_t>{1, 1};
  node.attributes["support_vectors"] = std::vector<float>{1, 0, 0, 1};
  node.attributes["coefficients"] = std::vector<float>{1, 2};
  node.attributes["rho"] = std::vector<float>{0.5f};
  node.attributes["post_transform"] = transform;
  return expand(node);
}

TEST(SupportVectors, OneDecisionIsNoMatterForASoftmax) {
  for (const char* transform : {"SOFTMAX", "SOFTMAX_ZERO"}) {
    const auto answer = expand_two(transform);
    ASSERT_TRUE(std::holds_alternative<model::GraphDefPtr>(answer)) << transform;
    int subtractions = 0, exponentials = 0;
    for (const model::NodeDef& node : std::get<model::GraphDefPtr>(answer)->nodes) {
      subtractions += node.op == "Sub";
      exponentials += node.op == "Softmax" || node.op == "Exp";
    }
    EXPECT_EQ(subtractions, 1) << transform;
    EXPECT_EQ(exponentials, 0) << transform;
  }
  const auto answer = expand_two("PROBIT");
  ASSERT_TRUE(std::holds_alternative<Fault>(answer));
  EXPECT_EQ(std::get<Fault>(answer).code, "E203");
}

}  // namespace
}  // namespace tarn::ops
