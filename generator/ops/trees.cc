// Tree ensembles: TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of opset 5 become constant tables in
// which a branch's other side follows it, so that a walk needs no stack and no recursion.
#include "ops/lowering.h"
#include "ops/ml.h"
#include "ops/tree_ensemble.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

enum Aggregate : int64_t { kSum, kMin, kMax, kAverage };

// Scores [N, targets] in the type of x.
Answer<std::string> add_trees(Body& body, const std::string& x, const TensorType& type, const Ensemble& e,
                              int64_t aggregate, const std::vector<double>& base) {
  if (auto fault = check(e, type.shape[1])) return *fault;
  Tables tables;
  if (auto fault = flatten(e, tables)) return *fault;
  auto numbers = [&](const std::vector<double>& values) {
    return Constant::floats(type.dtype, Shape{static_cast<int64_t>(values.size())}, values);
  };
  model::Attributes attributes{{"features", std::move(tables.features)},
                               {"jumps", std::move(tables.jumps)},
                               {"roots", std::move(tables.roots)},
                               {"leaf_targets", std::move(tables.leaf_targets)},
                               {"splits", numbers(tables.splits)},
                               {"leaf_weights", numbers(tables.leaf_weights)},
                               {"targets", e.targets},
                               {"aggregate", aggregate}};
  if (!base.empty()) attributes["base"] = numbers(base);
  return body.add("Trees", {x}, std::move(attributes), "tarn");
}

Answer<int64_t> aggregate_named(const std::string& name) {
  if (name.empty() || name == "SUM") return int64_t{kSum};
  if (name == "AVERAGE") return int64_t{kAverage};
  if (name == "MIN") return int64_t{kMin};
  if (name == "MAX") return int64_t{kMax};
  return Fault{"aggregate_function '" + name + "' is unknown", "", "E211"};
}

Answer<model::GraphDefPtr> finish_scores(Body& body, Answer<std::string> scores, const std::string& transform,
                                         DType dtype, DType wanted, size_t output) {
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  scores = post_transform(body, std::get<std::string>(scores), transform, dtype);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  body.output(output, body.cast(std::get<std::string>(scores), dtype, wanted));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_ensemble(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  Answer<Ensemble> e = read_indexed(facts.node);
  if (const Fault* fault = std::get_if<Fault>(&e)) return *fault;
  std::get<Ensemble>(e).targets = facts.node.integer("n_targets", 1);
  static constexpr int64_t kinds[] = {kAverage, kSum, kMin, kMax};
  const int64_t kind = facts.node.integer("aggregate_function", 1);
  if (kind < 0 || kind > 3) return Fault{cat("aggregate_function ", kind, " is unknown"), "", "E211"};
  return finish_scores(body, add_trees(body, x, type, std::get<Ensemble>(e), kinds[kind], {}),
                       post_transform_name(facts.node.integer("post_transform", 0)), type.dtype, type.dtype, 0);
}

Answer<model::GraphDefPtr> expand_tree_regressor(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  Answer<Ensemble> e = read_named(facts.node, "target");
  if (const Fault* fault = std::get_if<Fault>(&e)) return *fault;
  std::get<Ensemble>(e).targets = facts.node.integer("n_targets", 1);
  const Answer<int64_t> aggregate = aggregate_named(facts.node.text("aggregate_function", "SUM"));
  if (const Fault* fault = std::get_if<Fault>(&aggregate)) return *fault;
  std::vector<double> base = numbers_of(facts.node, "base_values");
  if (!base.empty() && static_cast<int64_t>(base.size()) != std::get<Ensemble>(e).targets) {
    return Fault{cat(base.size(), " base values for ", std::get<Ensemble>(e).targets, " targets"), "", "E211"};
  }
  return finish_scores(body, add_trees(body, x, type, std::get<Ensemble>(e), std::get<int64_t>(aggregate), base),
                       facts.node.text("post_transform", "NONE"), type.dtype, DType::float32, 0);
}

// Two classes of which the leaves know only one, by its score s. Knowing the first one (number 0), both classes share
// s: the other has 1 - s, or -s with weights of both signs. Knowing the second one, the first has 0.
Answer<model::GraphDefPtr> expand_binary(const Facts& facts, Body& body, const std::string& x, const TensorType& type,
                                         Ensemble e, const std::vector<double>& base, int64_t known) {
  std::string transform = facts.node.text("post_transform", "NONE");
  if (base.size() > 1 || (known == 1 && !base.empty()))
    return Fault{"base values for two classes with one score are not supported", "", "E203"};
  bool positive = true;
  for (Leaf& leaf : e.leaves) {
    for (int64_t& target : leaf.targets) target = 0;
    for (double w : leaf.weights) positive = positive && w >= 0;
  }
  e.targets = 1;
  const Answer<std::string> made = add_trees(body, x, type, e, kSum, base);
  if (const Fault* fault = std::get_if<Fault>(&made)) return *fault;
  const std::string s = std::get<std::string>(made);
  const std::string above = body.add("Greater", {s, body.number(positive ? 0.5 : 0, type.dtype)});
  const std::string numbers = body.reshape(body.cast(above, DType::boolean, DType::int64), {type.shape[0]});
  body.output(0, labels_of(facts, body, numbers));
  std::string other;
  if (known == 1) {
    other = body.add("Mul", {s, body.number(0, type.dtype)});
  } else {
    if (transform == "PROBIT") return Fault{"PROBIT for two classes with one score is not supported", "", "E203"};
    const bool logistic = transform == "LOGISTIC";
    other = positive && !logistic ? body.add("Sub", {body.number(1, type.dtype), s}) : body.add("Neg", {s});
    if (!logistic) transform = "NONE";
  }
  return finish_scores(body, body.add("Concat", {other, s}, {{"axis", int64_t{1}}}), transform, type.dtype,
                       DType::float32, 1);
}

Answer<model::GraphDefPtr> expand_tree_classifier(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  Answer<Ensemble> read = read_named(facts.node, "class");
  if (const Fault* fault = std::get_if<Fault>(&read)) return *fault;
  Ensemble e = std::get<Ensemble>(std::move(read));
  e.targets = label_count(facts.node);
  if (e.targets == 0) return Fault{"it names no class labels", "", "E211"};
  if (auto fault = check(e, type.shape[1])) return *fault;
  const std::vector<double> base = numbers_of(facts.node, "base_values");
  if (!base.empty() && static_cast<int64_t>(base.size()) != e.targets && !(e.targets == 2 && base.size() == 1)) {
    return Fault{cat(base.size(), " base values for ", e.targets, " classes"), "", "E211"};
  }
  const std::vector<int64_t> ids = facts.node.integers("class_ids");
  const bool one_class = std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return id == ids[0]; });
  if (e.targets == 2 && one_class)
    return expand_binary(facts, body, x, type, std::move(e), base, ids.empty() ? 0 : ids[0]);
  std::vector<double> all_base = base;
  if (!base.empty()) all_base.resize(static_cast<size_t>(e.targets), 0);
  Answer<std::string> scores = add_trees(body, x, type, e, kSum, all_base);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  const std::string& s = std::get<std::string>(scores);
  // With two classes the second one wins when its score is above 0, whatever the first one has.
  std::string numbers;
  if (e.targets == 2) {
    const std::string second =
        body.add("Gather", {s, body.constant(Constant::ints(DType::int64, Shape{}, {1}))}, {{"axis", int64_t{1}}});
    numbers = body.cast(body.add("Greater", {second, body.number(0, type.dtype)}), DType::boolean, DType::int64);
  } else {
    numbers = body.add("ArgMax", {s}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}});
  }
  body.output(0, labels_of(facts, body, numbers));
  return finish_scores(body, s, facts.node.text("post_transform", "NONE"), type.dtype, DType::float32, 1);
}

Answer<Types> infer_trees(const Facts& facts) {
  return Types{{facts.types[0].dtype, Shape{facts.shape(0)[0], facts.node.integer("targets", 1)}}};
}

std::optional<Fault> lower_trees(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  auto table = [&](const char* name) {
    const std::vector<int64_t> wide = node.integers(name);
    return low.weight(low.key(node.outputs[0], cat("/", name)), std::vector<int32_t>(wide.begin(), wide.end()));
  };
  auto numbers = [&](const char* name) {
    const Constant* c = node.tensor(name);
    return c ? low.weight(low.key(node.outputs[0], cat("/", name)), *c) : low.none();
  };
  for (const char* name : {"features", "jumps"}) {
    for (int64_t v : node.integers(name)) {
      if (v < INT32_MIN || v > INT32_MAX) return Fault{"a table of it needs more than 32 bits", "", "E207"};
    }
  }
  Walk walk;
  walk.identity = true;
  walk.read_before_write = true;
  const DType compute = dtype == DType::float64 ? DType::float64 : DType::float32;
  const std::string kernel = "tarn_trees_" + kernel_suffix(dtype);
  const int64_t targets = node.integer("targets", 1), aggregate = node.integer("aggregate", 0);
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"examples", x[0]},
                                    {"inputs", x[1]},
                                    {"trees", static_cast<int64_t>(node.integers("roots").size())},
                                    {"targets", targets},
                                    {"aggregate", aggregate}}},
                                  {low.read(node.inputs[0], walk), table("features"), numbers("splits"), table("jumps"),
                                   table("roots"), table("leaf_targets"), numbers("leaf_weights"), numbers("base"),
                                   low.scratch(compute, targets, "scores"), low.write(node.outputs[0])});
  operation.parameters = static_cast<int64_t>(node.integers("features").size());
  return {};
}

}  // namespace

std::vector<OperatorEntry> trees_entries() {
  const std::string limits = "labels that are strings cannot be put out; their scores can";
  OperatorEntry regressor{"ai.onnx.ml", "TreeEnsembleRegressor", "numbers"},
      classifier{"ai.onnx.ml", "TreeEnsembleClassifier", "numbers"}, ensemble{"ai.onnx.ml", "TreeEnsemble", "floats"};
  regressor.expand = expand_tree_regressor;
  classifier.expand = expand_tree_classifier;
  classifier.limits = limits;
  ensemble.expand = expand_ensemble;
  return {regressor, classifier, ensemble, {"tarn", "Trees", "floats", lower_trees, infer_trees}};
}

}  // namespace tarn::ops
