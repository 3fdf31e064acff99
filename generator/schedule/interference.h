// What a packer sees of an order: which tensors and scratches are alive together, and which donations take effect.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

class Interference {
 public:
  explicit Interference(const OrderGraph& graph);

  // One bit per pair of the largest items and per gift. Orders with the same bits pack alike.
  std::vector<uint64_t> of(const std::vector<int>& order) const;

  // Bytes of the smaller item, summed over the pairs that differ.
  Bytes distance(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) const;

 private:
  struct Item {
    int tensor = -1, op = -1;  // a tensor, or the scratch of an operator
    Bytes bytes = 0;
  };
  const OrderGraph& graph_;
  std::vector<Item> items_;     // the largest first
  std::vector<Bytes> weights_;  // by bit
};

}  // namespace tarn::schedule
