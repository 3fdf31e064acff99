// Cuts a graph into sections that every order runs one after the other, and takes any window of an order out as a
// graph of its own. What is alive throughout a window becomes its base.
#pragma once
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

// Positions k in `order`, from 0 to its length, where each of the first k operators must run before each of the rest:
// every valid order passes through these sets, so the least peak is the largest of the least peaks between them.
std::vector<int> section_ends(const OrderGraph& graph, const std::vector<int>& order);

// Cuts windows out of one order of one graph; operator i of a window is order[first + i].
class WindowCutter {
 public:
  WindowCutter(const OrderGraph& graph, const std::vector<int>& order);
  OrderGraph cut(int first, int end);  // its orders cost exactly what they do between the rest of `order`

 private:
  int add_tensor(int t, int first, int end, OrderGraph& part, std::vector<int>& touched);

  const OrderGraph& graph_;
  const std::vector<int>& order_;
  std::vector<int> position_, last_use_;  // of an operator; of a tensor: the position, or past the end when kept
  std::vector<Bytes> live_;
  std::vector<int> place_;  // of tensors in the part being cut; -1 between calls
};

}  // namespace tarn::schedule
