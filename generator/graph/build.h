// Model -> Graph: resolves names, binds dimensions, infers every shape, folds constants, expands functions that have no
// entry of their own and inlines branches whose condition is known. One walk in the order of the nodes does all of it,
// because each of these feeds the others.
#pragma once
#include <map>
#include <set>
#include <string>

#include "graph/graph.h"
#include "model/model.h"
#include "support/result.h"

namespace tarn::graph {

// A graph input that is taken to hold a value; every run checks the elements that are not -1 in `checked`.
struct Assumption {
  Constant value;
  std::vector<int64_t> checked;
};

struct BuildOptions {
  std::map<std::string, int64_t> dims;        // by symbol; for a dimension without a name: "INPUT:AXIS" or "?AXIS"
  std::map<std::string, Constant> constants;  // graph inputs fixed to a value
  bool opaque_operators = false;              // keep unknown operators whose outputs have declared shapes
  std::map<std::string, Assumption> assumptions = {};  // by graph input
  std::set<std::string> left = {};  // tensors that nodes make at run time, though constants could be made of them
  bool fold_floats = true;  // else nodes that only make floats of constants stay: shapes depend on whole numbers alone
};

struct Built {
  Graph graph;
  std::map<std::string, int64_t> dims;  // the symbols that were used, with their values
  std::map<std::string, int> opsets;
  std::vector<int64_t> symbols;  // of run-time sizes: the largest value of each
  std::set<std::string> grown;   // tensors that are made at run time because constants of them would be large
  Diagnostics warnings;
};

// Lists every fault: E202 (all unbound dimensions in one), E203, E205, E206, E207, E209, E211.
Result<Built> build(const model::Model& model, const BuildOptions& options);

}  // namespace tarn::graph
