// The ordering problem made ready for walking: who makes and who needs each tensor, which operators wait for which.
// Only what costs is kept: tensors without bytes leave nothing but their dependencies.
#pragma once
#include <vector>

#include "schedule/order_problem.h"

namespace tarn::schedule {

struct GraphTensor {
  Bytes bytes = 0;         // > 0
  int producer = -1;       // operator; -1: alive from the start
  bool kept = false;       // never dies; its users are not listed
  std::vector<int> users;  // operators, ascending, each once; at least one unless kept
};

// The step of an operator needs `saves` bytes fewer when `giver` dies at it.
struct Gift {
  int giver = 0;    // tensor, one of the operator's uses, never a kept one
  Bytes saves = 0;  // > 0, at most the giver's bytes and at most `born` + `extra`
};

struct GraphOperator {
  Bytes born = 0;  // outputs that live on after the step
  // What the step needs on top of what is alive before it and `born`: scratch and outputs nobody needs. Negative where
  // several operators have become one: at most what surely dies at this step is saved.
  Bytes extra = 0;
  std::vector<int> uses, makes;    // tensors of the graph; kept ones are not among `uses`
  std::vector<Gift> gifts;         // one per giver
  std::vector<int> before, after;  // direct dependencies, ascending, each once
};

struct OrderGraph {
  std::vector<GraphTensor> tensors;
  std::vector<GraphOperator> operators;  // listed in a valid order
  Bytes base = 0;                        // alive throughout, not among the tensors
  int count() const { return static_cast<int>(operators.size()); }
};

// Throws InternalError on a problem that breaks its contract (order_problem.h).
OrderGraph graph_of(const OrderProblem& problem);

// Bytes each step of `order` needs, and the bytes alive between steps (one more: live[i] before step i).
struct OrderCosts {
  std::vector<Bytes> step, live;
  Bytes peak = 0;
};

// Throws InternalError when `order` is no permutation or breaks a dependency.
OrderCosts costs_of(const OrderGraph& graph, const std::vector<int>& order);

// 0, 1, ..., count - 1: the order in which the operators are listed.
std::vector<int> listed_order(const OrderGraph& graph);

}  // namespace tarn::schedule
