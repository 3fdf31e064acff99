// The ordering problem: in which order do operators run so that the most bytes alive at one time are fewest?
// Knows sizes and dependencies only. Views are merged into one tensor, constants are left out. A dependency without
// data is a tensor of 0 bytes.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tarn::schedule {

using Bytes = int64_t;

struct OrderTensor {
  Bytes bytes = 0;
  bool input = false;  // alive from the start
  bool kept = false;   // alive to the end, a graph output
};

// `taker`, an output of the operator, may be laid over `giver`, an input that no other operator needs any more, so
// that the step needs `saves` bytes fewer (at most the smaller of both). In place is saves == min(sizes).
struct Donation {
  int giver = 0, taker = 0;  // tensors
  Bytes saves = 0;
};

struct OrderOperator {
  std::vector<int> inputs, outputs;  // tensors; an input may be listed twice
  Bytes scratch = 0;                 // alive during the step only
  std::vector<Donation> donations;   // at most one takes effect: the largest whose giver dies here
};

// All bytes and scratch together are at most 2^50.
struct OrderProblem {
  std::vector<OrderTensor> tensors;
  std::vector<OrderOperator> operators;  // listed in a valid order, the `given` one
};

struct Order {
  std::vector<int> operators;  // a permutation that respects the dependencies
  Bytes peak = 0;              // max over steps of the bytes alive in it
  Bytes lower_bound = 0;       // proved: no order has a smaller peak
  uint64_t search_states = 0;
  int bound_step = -1;  // operator whose step needs `lower_bound` in every order; -1: the bound took a search
};

struct OrderLimits {
  int effort = 1;  // 0 to 3; limits are counted in states
};

// Peak of the steps of one given order, in bytes; the cost model itself.
//   step of v: live before v (born, still needed or kept) + outputs of v + scratch of v - its best donation
Bytes peak_of(const OrderProblem& problem, const std::vector<int>& order);

// The order of least peak, proved where the limits allow. Never worse than the given one.
Order min_peak(const OrderProblem& problem, const OrderLimits& limits);

// Further orders with at most the peak of `best`, none of `known` and no two alike, at most `count` of them. For the
// loop that packs each until one packs at its peak: of the orders that can be made, those come first that differ the
// most in which tensors are alive together. Orders in which the same tensors are alive together and the same donations
// take effect pack alike, and count as one. Deterministic. What `known` holds is not made again, so the loop may ask
// for a few at a time.
std::vector<std::vector<int>> alternatives(const OrderProblem& problem, const Order& best,
                                           const std::vector<std::vector<int>>& known, int count);

}  // namespace tarn::schedule
