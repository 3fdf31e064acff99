// Lower bounds by minimum cuts: the least bytes that can be alive while a given operator runs, over all orders at once.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/flow.h"
#include "schedule/order_graph.h"

namespace tarn::schedule {

// What is known of an operator at the moment looked at: it has run, it has not, or either.
enum class Side : char { either, done, waiting };

class LeastLive {
 public:
  explicit LeastLive(const OrderGraph& graph) : graph_(graph) {}

  // Least live bytes over all sets of finished operators that agree with `side`, which must be closed (what a done
  // operator needs is done, what needs a waiting one is waiting). Stops at `enough` or when `work` is used up: then
  // what is returned is a lower bound still.
  Bytes between(const std::vector<Side>& side, Bytes enough, int64_t& work);

  // Least bytes the step of operator v can need at a moment that agrees with `side`; kUnbounded when v cannot run then.
  Bytes step(int v, const std::vector<Side>& side, Bytes enough, int64_t& work);

  // The network of the last `between`, and the node in it of an operator that could be either; else -1. Nodes 0 and 1
  // are source and sink; the operators on the source side of a cut are those that have run.
  FlowNetwork& network() { return network_; }
  bool anything_open() const { return open_ > 0; }
  int node(int v) const { return node_[static_cast<size_t>(v)]; }

 private:
  bool mark_run(int v);                   // v and all before it are done; false when one of them is waiting
  bool mark_moment(int v);                // all before v are done, v and all after it wait; false on a contradiction
  bool settled(int tensor, int v) const;  // do all its users but v count as done?
  void add_tensor(const GraphTensor& tensor, Bytes& fixed);

  const OrderGraph& graph_;
  FlowNetwork network_;
  std::vector<int> node_, stack_;
  int open_ = 0;  // operators that could be either
  std::vector<Side> moment_, plain_;
};

struct StepBound {
  Bytes bytes = 0;
  int step = -1;  // the operator whose step needs as much; -1: what is alive before the first step
};

// Largest `step` bound over all operators, a lower bound of the peak of every order. `costs` are those of any one
// order: an operator that needs little there has a small bound. Stops at `enough` or when `work` is used up.
StepBound cut_bound(const OrderGraph& graph, const std::vector<int>& order, const OrderCosts& costs, Bytes enough,
                    int64_t& work);

}  // namespace tarn::schedule
