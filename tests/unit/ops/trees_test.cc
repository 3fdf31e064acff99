// Tree ensembles: the tables they become, and what is refused.
#include <gtest/gtest.h>

#include "ops/ml.h"

namespace tarn::ops {
namespace {

// One tree: x[1] <= 0.5 ? 10 : (x[0] > 2 ? 20 : 30).
Node regressor() {
  Node node;
  node.op = "TreeEnsembleRegressor";
  node.domain = "ai.onnx.ml";
  using Ints = std::vector<int64_t>;
  using Floats = std::vector<float>;
  node.attributes = {{"nodes_treeids", Ints{0, 0, 0, 0, 0}},
                     {"nodes_nodeids", Ints{0, 1, 2, 3, 4}},
                     {"nodes_featureids", Ints{1, 0, 0, 0, 0}},
                     {"nodes_truenodeids", Ints{1, 0, 3, 0, 0}},
                     {"nodes_falsenodeids", Ints{2, 0, 4, 0, 0}},
                     {"nodes_values", Floats{0.5f, 0, 2, 0, 0}},
                     {"nodes_modes", std::vector<std::string>{"BRANCH_LEQ", "LEAF", "BRANCH_GT", "LEAF", "LEAF"}},
                     {"target_treeids", Ints{0, 0, 0}},
                     {"target_nodeids", Ints{1, 3, 4}},
                     {"target_ids", Ints{0, 0, 0}},
                     {"target_weights", Floats{10, 20, 30}},
                     {"n_targets", int64_t{1}}};
  return node;
}

Answer<model::GraphDefPtr> expand_trees(const Node& node, int64_t features = 2) {
  const Facts facts{node, {{DType::float32, Shape{4, features}}}, {nullptr}, {TensorType{}}};
  return find_entry("ai.onnx.ml", node.op)->expand(facts);
}

TEST(Trees, FalseSidesFollow) {
  const auto answer = expand_trees(regressor());
  ASSERT_TRUE(std::holds_alternative<model::GraphDefPtr>(answer));
  const model::NodeDef& trees = std::get<model::GraphDefPtr>(answer)->nodes.at(0);
  ASSERT_EQ(trees.op, "Trees");
  auto table = [&](const char* name) { return std::get<std::vector<int64_t>>(trees.attributes.at(name)); };
  EXPECT_EQ(table("features"), (std::vector<int64_t>{16, 3, -2, -2, -2}));
  EXPECT_EQ(table("jumps"), (std::vector<int64_t>{4, 3, 0, 1, 2}));
  EXPECT_EQ(std::get<Constant>(trees.attributes.at("leaf_weights")).reals(), (std::vector<double>{30, 20, 10}));
}

TEST(Trees, RefusesFeaturesThatAreNotThere) {
  EXPECT_TRUE(std::holds_alternative<Fault>(expand_trees(regressor(), 1)));
}

TEST(Trees, RefusesWhatIsNoTree) {
  Node node = regressor();
  node.attributes["nodes_truenodeids"] = std::vector<int64_t>{2, 0, 3, 0, 0};  // both sides of the root
  EXPECT_TRUE(std::holds_alternative<Fault>(expand_trees(node)));
  node.attributes["nodes_truenodeids"] = std::vector<int64_t>{7, 0, 3, 0, 0};  // nowhere
  EXPECT_TRUE(std::holds_alternative<Fault>(expand_trees(node)));
  node = regressor();
  node.attributes["target_ids"] = std::vector<int64_t>{0, 1, 0};
  EXPECT_TRUE(std::holds_alternative<Fault>(expand_trees(node)));
  node = regressor();
  node.attributes["nodes_values"] = std::vector<float>{0.5f};
  EXPECT_TRUE(std::holds_alternative<Fault>(expand_trees(node)));
}

TEST(Trees, LabelsOfStringsMayStandUnused) {
  Node node = regressor();
  node.op = "TreeEnsembleClassifier";
  for (const char* part : {"treeids", "nodeids", "weights"})
    node.attributes[std::string("class_") + part] = node.attributes[std::string("target_") + part];
  node.attributes["class_ids"] = std::vector<int64_t>{0, 1, 2};
  node.attributes["classlabels_strings"] = std::vector<std::string>{"a", "b", "c"};
  const Facts facts{node, {{DType::float32, Shape{4, 2}}}, {nullptr}, {TensorType{}, TensorType{}}};
  const auto answer = find_entry("ai.onnx.ml", node.op)->expand(facts);
  ASSERT_TRUE(std::holds_alternative<model::GraphDefPtr>(answer));
  const OperatorEntry* labels = find_entry("tarn", "TextLabels");
  ASSERT_TRUE(labels);
  EXPECT_FALSE(labels->lower);
}

}  // namespace
}  // namespace tarn::ops
