// Sequences and optional values whose length and positions are known while the graph is built: they are only names for
// tensors, and no operator on them is left.
#pragma once
#include <optional>
#include <vector>

#include "graph/scope.h"
#include "ops/op.h"

namespace tarn::graph {

// What stands for an operator on sequences or optionals: operators on tensors, usually none, in an order to be added.
struct Unfolded {
  std::vector<model::NodeDef> nodes;
  std::optional<ops::Fault> fault;
};

// Binds the outputs of such a node in the scope. Empty: the node is none.
std::optional<Unfolded> unfold_sequence(const model::NodeDef& node, Scope& scope);

}  // namespace tarn::graph
