// Tree ensembles: TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of opset 5 become constant tables in
// which a branch's other side follows it, so that a walk needs no stack and no recursion.
//
// note [tables]: entry i of `features`: feature * 16 + comparison + 8 when a missing value (NaN) takes the true side; below
// 0: a leaf with -1 - features[i] contributions. `jumps`: where the true side begins (the false side is i + 1), or the
// leaf's first contribution. A membership test is a chain of equalities.
#include <algorithm>
#include <cmath>
#include <map>

#include "ops/lowering.h"
#include "ops/ml.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int kMember = 6;
constexpr int64_t kMissingTakesTrue = 8;

struct Branch {
  int64_t feature = 0;
  int mode = 0;
  bool missing_takes_true = false;
  double split = 0;
  std::vector<double> members;
  int64_t yes = 0, no = 0;  // a branch; below 0: ~ a leaf
};

struct Leaf {
  std::vector<int64_t> targets;
  std::vector<double> weights;
};

struct Ensemble {
  std::vector<Branch> branches;
  std::vector<Leaf> leaves;
  std::vector<int64_t> roots;  // a branch; below 0: ~ a leaf
  int64_t targets = 1;
};

struct Tables {
  std::vector<int64_t> features, jumps, roots, leaf_targets;
  std::vector<double> splits, leaf_weights;
};

// Writes the tables; a fault when a branch is reached twice.
std::optional<Fault> flatten(const Ensemble& ensemble, Tables& tables) {
  std::vector<bool> seen(ensemble.branches.size(), false);
  struct Pending {
    int64_t at;
    std::vector<size_t> jumps;  // entries whose true side begins there
  };
  for (int64_t root : ensemble.roots) {
    tables.roots.push_back(static_cast<int64_t>(tables.features.size()));
    std::vector<Pending> stack{{root, {}}};
    while (!stack.empty()) {
      const Pending now = std::move(stack.back());
      stack.pop_back();
      for (size_t entry : now.jumps) tables.jumps[entry] = static_cast<int64_t>(tables.features.size());
      if (now.at < 0) {
        const Leaf& leaf = ensemble.leaves[static_cast<size_t>(~now.at)];
        tables.features.push_back(-1 - static_cast<int64_t>(leaf.targets.size()));
        tables.jumps.push_back(static_cast<int64_t>(tables.leaf_targets.size()));
        tables.splits.push_back(0);
        tables.leaf_targets.insert(tables.leaf_targets.end(), leaf.targets.begin(), leaf.targets.end());
        tables.leaf_weights.insert(tables.leaf_weights.end(), leaf.weights.begin(), leaf.weights.end());
        continue;
      }
      const auto at = static_cast<size_t>(now.at);
      if (seen[at]) return Fault{"its nodes do not form trees", "", "E211"};
      seen[at] = true;
      const Branch& branch = ensemble.branches[at];
      Pending yes{branch.yes, {}};
      const std::vector<double> values = branch.mode == kMember ? branch.members : std::vector<double>{branch.split};
      for (size_t i = 0; i < values.size(); ++i) {
        yes.jumps.push_back(tables.features.size());
        const int64_t mode = branch.mode == kMember ? 4 : branch.mode;
        tables.features.push_back(branch.feature * 16 + mode + (branch.missing_takes_true && i == 0 ? kMissingTakesTrue : 0));
        tables.jumps.push_back(0);
        tables.splits.push_back(values[i]);
      }
      if (!values.empty()) stack.push_back(std::move(yes));
      stack.push_back({branch.no, {}});
    }
  }
  return {};
}

int mode_of(const std::string& name) {
  static const char* const names[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};
  for (int i = 0; i < 6; ++i) {
    if (name == names[i]) return i;
  }
  return name == "LEAF" ? -1 : -2;
}

std::vector<double> numbers_of(const Node& node, const std::string& name) {
  if (const Constant* tensor = node.tensor(name + "_as_tensor")) return tensor->is_absent() ? std::vector<double>{} : tensor->reals();
  return node.reals(name);
}

// The form of opsets 1 to 3: nodes named by tree and number, weights by (tree, node). `prefix`: "target" or "class".
Answer<Ensemble> read_named(const Node& node, const std::string& prefix) {
  const std::vector<int64_t> trees = node.integers("nodes_treeids"), ids = node.integers("nodes_nodeids"),
                             features = node.integers("nodes_featureids"), yes = node.integers("nodes_truenodeids"),
                             no = node.integers("nodes_falsenodeids"), missing = node.integers("nodes_missing_value_tracks_true"),
                             weight_trees = node.integers(prefix + "_treeids"), weight_nodes = node.integers(prefix + "_nodeids"),
                             targets = node.integers(prefix + "_ids");
  const std::vector<std::string> modes = node.texts("nodes_modes");
  const std::vector<double> values = numbers_of(node, "nodes_values"), weights = numbers_of(node, prefix + "_weights");
  const size_t count = ids.size();
  if (trees.size() != count || features.size() != count || yes.size() != count || no.size() != count || modes.size() != count ||
      values.size() != count || (!missing.empty() && missing.size() != count)) {
    return Fault{"its nodes_ attributes do not have the same length", "", "E211"};
  }
  if (weight_trees.size() != weights.size() || weight_nodes.size() != weights.size() || targets.size() != weights.size()) {
    return Fault{cat("its ", prefix, "_ attributes do not have the same length"), "", "E211"};
  }
  Ensemble e;
  std::map<std::pair<int64_t, int64_t>, int64_t> place;  // branch, or ~ leaf
  for (size_t i = 0; i < count; ++i) {
    const int mode = mode_of(modes[i]);
    if (mode == -2) return Fault{"node mode '" + modes[i] + "' is unknown", "", "E211"};
    const bool leaf = mode == -1;
    const auto at = static_cast<int64_t>(leaf ? e.leaves.size() : e.branches.size());
    if (!place.emplace(std::pair(trees[i], ids[i]), leaf ? ~at : at).second) return Fault{"a node number occurs twice in a tree", "", "E211"};
    if (leaf) e.leaves.emplace_back();
    else e.branches.push_back({features[i], mode, !missing.empty() && missing[i] != 0, values[i], {}, 0, 0});
  }
  std::map<int64_t, bool> is_child;
  for (size_t i = 0; i < count; ++i) {
    const int64_t at = place.at({trees[i], ids[i]});
    if (at < 0) continue;
    const auto t = place.find({trees[i], yes[i]}), f = place.find({trees[i], no[i]});
    if (t == place.end() || f == place.end()) return Fault{"a branch leads to a node that is not there", "", "E211"};
    Branch& branch = e.branches[static_cast<size_t>(at)];
    branch.yes = t->second;
    branch.no = f->second;
    is_child[t->second] = is_child[f->second] = true;
  }
  for (size_t i = 0; i < count; ++i) {
    const int64_t at = place.at({trees[i], ids[i]});
    if (!is_child.contains(at)) e.roots.push_back(at);
  }
  for (size_t i = 0; i < weights.size(); ++i) {
    const auto at = place.find({weight_trees[i], weight_nodes[i]});
    if (at == place.end()) return Fault{"a weight belongs to a node that is not there", "", "E211"};
    if (at->second >= 0) continue;  // weights of branches say nothing
    Leaf& leaf = e.leaves[static_cast<size_t>(~at->second)];
    leaf.targets.push_back(targets[i]);
    leaf.weights.push_back(weights[i]);
  }
  return e;
}

// The form of opset 5.
Answer<Ensemble> read_indexed(const Node& node) {
  const std::vector<int64_t> features = node.integers("nodes_featureids"), yes = node.integers("nodes_truenodeids"),
                             no = node.integers("nodes_falsenodeids"), yes_leaf = node.integers("nodes_trueleafs"),
                             no_leaf = node.integers("nodes_falseleafs"), missing = node.integers("nodes_missing_value_tracks_true"),
                             targets = node.integers("leaf_targetids");
  const Constant *splits = node.tensor("nodes_splits"), *modes = node.tensor("nodes_modes"), *weights = node.tensor("leaf_weights"),
                 *members = node.tensor("membership_values");
  const size_t count = features.size();
  if (!splits || !modes || !weights || splits->is_absent() || modes->is_absent() || weights->is_absent() || (members && members->is_absent()) ||
      splits->count() != static_cast<int64_t>(count) || modes->count() != static_cast<int64_t>(count) || yes.size() != count ||
      no.size() != count || yes_leaf.size() != count || no_leaf.size() != count || (!missing.empty() && missing.size() != count) ||
      weights->count() != static_cast<int64_t>(targets.size())) {
    return Fault{"its attributes are missing or do not have the same length", "", "E211"};
  }
  Ensemble e;
  e.roots = node.integers("tree_roots");
  for (size_t i = 0; i < targets.size(); ++i) e.leaves.push_back({{targets[i]}, {weights->real(static_cast<int64_t>(i))}});
  const auto leaf_count = static_cast<int64_t>(targets.size()), branch_count = static_cast<int64_t>(count);
  int64_t member = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<int64_t>(i);
    Branch branch{features[i], static_cast<int>(modes->integer(at)), !missing.empty() && missing[i] != 0, splits->real(at), {}, yes[i], no[i]};
    if (branch.mode < 0 || branch.mode > kMember) return Fault{cat("node mode ", branch.mode, " is unknown"), "", "E211"};
    for (; branch.mode == kMember && members && member < members->count(); ++member) {
      const double value = members->real(member);
      if (std::isnan(value)) {
        ++member;
        break;
      }
      branch.members.push_back(value);
    }
    for (auto [side, leaf] : {std::pair(&branch.yes, yes_leaf[i]), std::pair(&branch.no, no_leaf[i])}) {
      if (*side < 0 || *side >= (leaf != 0 ? leaf_count : branch_count)) return Fault{"a branch leads to a node that is not there", "", "E211"};
      if (leaf != 0) *side = ~*side;
    }
    e.branches.push_back(std::move(branch));
  }
  for (int64_t root : e.roots) {
    if (root < 0 || root >= branch_count) return Fault{"a root is not there", "", "E211"};
  }
  return e;
}

std::optional<Fault> check(const Ensemble& e, int64_t features) {
  for (const Branch& branch : e.branches) {
    if (branch.feature < 0 || branch.feature >= features) {
      return Fault{cat("a node looks at feature ", branch.feature, " of ", features)};
    }
  }
  for (const Leaf& leaf : e.leaves) {
    for (int64_t target : leaf.targets) {
      if (target < 0 || target >= e.targets) return Fault{cat("a leaf adds to target ", target, " of ", e.targets), "", "E211"};
    }
  }
  return {};
}

enum Aggregate : int64_t { kSum, kMin, kMax, kAverage };

// Scores [N, targets] in the type of x.
Answer<std::string> add_trees(Body& body, const std::string& x, const TensorType& type, const Ensemble& e, int64_t aggregate,
                              const std::vector<double>& base) {
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

Answer<model::GraphPtr> finish_scores(Body& body, Answer<std::string> scores, const std::string& transform, DType dtype, DType wanted,
                                      size_t output) {
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  scores = post_transform(body, std::get<std::string>(scores), transform, dtype);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  body.output(output, body.cast(std::get<std::string>(scores), dtype, wanted));
  return body.finish();
}

Answer<model::GraphPtr> expand_ensemble(const Facts& facts) {
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

Answer<model::GraphPtr> expand_regressor(const Facts& facts) {
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

// Two classes of which the leaves know only one, by its score s. Knowing the first one (number 0), both classes share s: the
// other has 1 - s, or -s with weights of both signs. Knowing the second one, the first has 0.
Answer<model::GraphPtr> expand_binary(const Facts& facts, Body& body, const std::string& x, const TensorType& type, Ensemble e,
                                      const std::vector<double>& base, int64_t known) {
  std::string transform = facts.node.text("post_transform", "NONE");
  if (base.size() > 1 || (known == 1 && !base.empty())) return Fault{"base values for two classes with one score are not supported", "", "E203"};
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
  return finish_scores(body, body.add("Concat", {other, s}, {{"axis", int64_t{1}}}), transform, type.dtype, DType::float32, 1);
}

Answer<model::GraphPtr> expand_classifier(const Facts& facts) {
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
  if (e.targets == 2 && one_class) return expand_binary(facts, body, x, type, std::move(e), base, ids.empty() ? 0 : ids[0]);
  std::vector<double> all_base = base;
  if (!base.empty()) all_base.resize(static_cast<size_t>(e.targets), 0);
  Answer<std::string> scores = add_trees(body, x, type, e, kSum, all_base);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  const std::string& s = std::get<std::string>(scores);
  // With two classes the second one wins when its score is above 0, whatever the first one has.
  std::string numbers;
  if (e.targets == 2) {
    const std::string second = body.add("Gather", {s, body.constant(Constant::ints(DType::int64, Shape{}, {1}))}, {{"axis", int64_t{1}}});
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
                                  {low.read(node.inputs[0], walk), table("features"), numbers("splits"), table("jumps"), table("roots"),
                                   table("leaf_targets"), numbers("leaf_weights"), numbers("base"), low.scratch(compute, targets, "scores"),
                                   low.write(node.outputs[0])});
  operation.parameters = static_cast<int64_t>(node.integers("features").size());
  return {};
}

}  // namespace

std::vector<Room> trees_rooms() {
  const std::string limits = "labels that are strings cannot be put out; their scores can";
  Room regressor{"ai.onnx.ml", "TreeEnsembleRegressor", "numbers"}, classifier{"ai.onnx.ml", "TreeEnsembleClassifier", "numbers"},
      ensemble{"ai.onnx.ml", "TreeEnsemble", "floats"};
  regressor.expand = expand_regressor;
  classifier.expand = expand_classifier;
  classifier.limits = limits;
  ensemble.expand = expand_ensemble;
  return {regressor, classifier, ensemble, {"tarn", "Trees", "floats", lower_trees, infer_trees}};
}

}  // namespace tarn::ops
