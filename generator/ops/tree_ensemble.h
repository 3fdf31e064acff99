// Tree ensembles as their attributes spell them, and as the tables that the kernel walks.
//
// note [tables]: entry i of `features`: feature * 16 + comparison + 8 when a missing value (NaN) takes the true side;
// below 0: a leaf with -1 - features[i] contributions. `jumps`: where the true side begins (the false side is i + 1),
// or the leaf's first contribution. A membership test is a chain of equalities.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

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

// The numbers of an attribute, in floats or as a tensor; none without it.
std::vector<double> numbers_of(const Node& node, const std::string& name);

// The form of opsets 1 to 3: nodes named by tree and number, weights by (tree, node). `prefix`: "target" or "class".
Answer<Ensemble> read_named(const Node& node, const std::string& prefix);
// The form of opset 5.
Answer<Ensemble> read_indexed(const Node& node);

// A fault when a node looks at a feature that is none, or a leaf adds to a target that is none.
std::optional<Fault> check(const Ensemble& ensemble, int64_t features);

// Writes the tables; a fault when a branch is reached twice.
std::optional<Fault> flatten(const Ensemble& ensemble, Tables& tables);

}  // namespace tarn::ops
