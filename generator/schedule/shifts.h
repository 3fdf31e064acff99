// An order under small changes: one operator at a time moves to another step, and only the steps between are reckoned
// anew.
#pragma once
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

class ShiftableOrder {
 public:
  ShiftableOrder(const OrderGraph& graph, std::vector<int> order);

  // Steps to which the operator of step `from` may move, as far as dependencies go: [first, last].
  int first_step(int from) const;
  int last_step(int from) const;

  // Moves the operator of step `from` to step `to`, which must be possible, unless a step would then need more than
  // `top`, or all steps between together more than `growth` bytes above what they need now. True when done.
  bool move(int from, int to, Bytes top, Bytes growth);

  const std::vector<int>& order() const { return order_; }

 private:
  void shift(int from, int to);
  void find_last_uses(int first, int last);
  Bytes reckon(int first, int last);  // costs of these steps; returns their sum

  const OrderGraph& graph_;
  std::vector<int> order_, position_, last_use_;
  std::vector<Bytes> step_, live_;
};

}  // namespace tarn::schedule
