#include "ops/tree_ensemble.h"

#include <cmath>
#include <map>

#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int kMember = 6;
constexpr int64_t kMissingTakesTrue = 8;

int mode_of(const std::string& name) {
  static const char* const names[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};
  for (int i = 0; i < 6; ++i) {
    if (name == names[i]) return i;
  }
  return name == "LEAF" ? -1 : -2;
}

// Whether an attribute's tensor can be read as numbers.
bool has_numbers(const Constant* tensor) {
  return tensor && !tensor->is_absent() && (is_float(tensor->dtype()) || is_integer(tensor->dtype()));
}

}  // namespace

std::vector<double> numbers_of(const Node& node, const std::string& name) {
  if (const Constant* tensor = node.tensor(name + "_as_tensor"))
    return has_numbers(tensor) ? tensor->reals() : std::vector<double>{};
  return node.reals(name);
}

Answer<Ensemble> read_named(const Node& node, const std::string& prefix) {
  const std::vector<int64_t> trees = node.integers("nodes_treeids"), ids = node.integers("nodes_nodeids"),
                             features = node.integers("nodes_featureids"), yes = node.integers("nodes_truenodeids"),
                             no = node.integers("nodes_falsenodeids"),
                             missing = node.integers("nodes_missing_value_tracks_true"),
                             weight_trees = node.integers(prefix + "_treeids"),
                             weight_nodes = node.integers(prefix + "_nodeids"),
                             targets = node.integers(prefix + "_ids");
  const std::vector<std::string> modes = node.texts("nodes_modes");
  const std::vector<double> values = numbers_of(node, "nodes_values"), weights = numbers_of(node, prefix + "_weights");
  const size_t count = ids.size();
  if (trees.size() != count || features.size() != count || yes.size() != count || no.size() != count ||
      modes.size() != count || values.size() != count || (!missing.empty() && missing.size() != count)) {
    return Fault{"its nodes_ attributes do not have the same length", "", "E211"};
  }
  if (weight_trees.size() != weights.size() || weight_nodes.size() != weights.size() ||
      targets.size() != weights.size()) {
    return Fault{cat("its ", prefix, "_ attributes do not have the same length"), "", "E211"};
  }
  Ensemble e;
  std::map<std::pair<int64_t, int64_t>, int64_t> place;  // branch, or ~ leaf
  for (size_t i = 0; i < count; ++i) {
    const int mode = mode_of(modes[i]);
    if (mode == -2) return Fault{"node mode '" + modes[i] + "' is unknown", "", "E211"};
    const bool leaf = mode == -1;
    const auto at = static_cast<int64_t>(leaf ? e.leaves.size() : e.branches.size());
    if (!place.emplace(std::pair(trees[i], ids[i]), leaf ? ~at : at).second)
      return Fault{"a node number occurs twice in a tree", "", "E211"};
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

Answer<Ensemble> read_indexed(const Node& node) {
  const std::vector<int64_t> features = node.integers("nodes_featureids"), yes = node.integers("nodes_truenodeids"),
                             no = node.integers("nodes_falsenodeids"), yes_leaf = node.integers("nodes_trueleafs"),
                             no_leaf = node.integers("nodes_falseleafs"),
                             missing = node.integers("nodes_missing_value_tracks_true"),
                             targets = node.integers("leaf_targetids");
  const Constant *splits = node.tensor("nodes_splits"), *modes = node.tensor("nodes_modes"),
                 *weights = node.tensor("leaf_weights"), *members = node.tensor("membership_values");
  const size_t count = features.size();
  if (!has_numbers(splits) || !has_numbers(modes) || !has_numbers(weights) || (members && !has_numbers(members)) ||
      splits->count() != static_cast<int64_t>(count) || modes->count() != static_cast<int64_t>(count) ||
      yes.size() != count || no.size() != count || yes_leaf.size() != count || no_leaf.size() != count ||
      (!missing.empty() && missing.size() != count) || weights->count() != static_cast<int64_t>(targets.size())) {
    return Fault{"its attributes are missing or do not have the same length", "", "E211"};
  }
  Ensemble e;
  e.roots = node.integers("tree_roots");
  for (size_t i = 0; i < targets.size(); ++i)
    e.leaves.push_back({{targets[i]}, {weights->real(static_cast<int64_t>(i))}});
  const auto leaf_count = static_cast<int64_t>(targets.size()), branch_count = static_cast<int64_t>(count);
  int64_t member = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<int64_t>(i);
    Branch branch{features[i],
                  static_cast<int>(modes->integer(at)),
                  !missing.empty() && missing[i] != 0,
                  splits->real(at),
                  {},
                  yes[i],
                  no[i]};
    if (branch.mode < 0 || branch.mode > kMember)
      return Fault{cat("node mode ", branch.mode, " is unknown"), "", "E211"};
    for (; branch.mode == kMember && members && member < members->count(); ++member) {
      const double value = members->real(member);
      if (std::isnan(value)) {
        ++member;
        break;
      }
      branch.members.push_back(value);
    }
    for (auto [side, leaf] : {std::pair(&branch.yes, yes_leaf[i]), std::pair(&branch.no, no_leaf[i])}) {
      if (*side < 0 || *side >= (leaf != 0 ? leaf_count : branch_count))
        return Fault{"a branch leads to a node that is not there", "", "E211"};
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
      if (target < 0 || target >= e.targets)
        return Fault{cat("a leaf adds to target ", target, " of ", e.targets), "", "E211"};
    }
  }
  return {};
}

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
        tables.features.push_back(branch.feature * 16 + mode +
                                  (branch.missing_takes_true && i == 0 ? kMissingTakesTrue : 0));
        tables.jumps.push_back(0);
        tables.splits.push_back(values[i]);
      }
      if (!values.empty()) stack.push_back(std::move(yes));
      stack.push_back({branch.no, {}});
    }
  }
  return {};
}

}  // namespace tarn::ops
