// Shape rules for the operators of ai.onnx.ml that onnx 1.22 has none for.
#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

using Types = std::vector<Type>;

Types one_output(const NodeFacts& facts, Type type) {
  Types out(static_cast<size_t>(facts.outputs()));
  if (!out.empty()) out[0] = std::move(type);
  return out;
}

// One row per example; X is [N, C], or [C] for one.
Dim examples(const NodeFacts& facts) {
  if (facts.rank(0) == 1) return {1, ""};
  return facts.rank(0) == 2 ? (*facts.type(0).dims)[0] : Dim{};
}

Result<Types> regressor(const NodeFacts& facts, const char* targets_name) {
  const int64_t targets = targets_name ? facts.attribute(targets_name, int64_t{1}) : 1;
  if (targets < 0) return facts.fault("E211", cat("attribute '", targets_name, "' is ", targets));
  return one_output(facts, tensor_type(DType::float32, std::vector<Dim>{examples(facts), {targets, ""}}));
}

size_t list_size(const NodeFacts& facts, const char* name) {
  const auto it = facts.node().attributes.find(name);
  if (it == facts.node().attributes.end()) return 0;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&it->second)) return texts->size();
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&it->second)) return numbers->size();
  return 0;
}

Result<Types> tree_classifier(const NodeFacts& facts) {
  const size_t texts = list_size(facts, "classlabels_strings"), numbers = list_size(facts, "classlabels_int64s");
  Types out =
      one_output(facts, tensor_type(texts > 0 ? DType::string : DType::int64, std::vector<Dim>{examples(facts)}));
  Dim classes;
  if (texts + numbers > 0) classes.value = static_cast<int64_t>(texts > 0 ? texts : numbers);
  if (out.size() > 1) out[1] = tensor_type(DType::float32, std::vector<Dim>{examples(facts), classes});
  return out;
}

Result<Types> feature_vectorizer(const NodeFacts& facts) {
  Dim width;
  if (const auto sizes = facts.attribute_list("inputdimensions")) {
    Checked sum = 0;
    for (const int64_t s : *sizes) sum = checked_add(sum, s < 0 ? Checked() : Checked(s));
    if (!sum) return facts.fault("E211", "inputdimensions hold a number below 0, or are absurd");
    width.value = *sum;
  }
  return one_output(facts, tensor_type(DType::float32, std::vector<Dim>{examples(facts), width}));
}

}  // namespace

std::optional<Result<Types>> infer_ml(const NodeFacts& facts) {
  const std::string& op = facts.node().op;
  if (op == "Scaler" || op == "Normalizer") return one_output(facts, tensor_type(DType::float32, facts.type(0).dims));
  if (op == "Imputer") return one_output(facts, facts.type(0));
  if (op == "LinearRegressor") return regressor(facts, "targets");
  if (op == "TreeEnsembleRegressor") return regressor(facts, "n_targets");
  if (op == "SVMRegressor") return regressor(facts, nullptr);
  if (op == "TreeEnsembleClassifier") return tree_classifier(facts);
  if (op == "FeatureVectorizer") return feature_vectorizer(facts);
  return {};
}

}  // namespace tarn::model
