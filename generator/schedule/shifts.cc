#include "schedule/shifts.h"

#include <algorithm>
#include <numeric>

#include "schedule/at.h"

namespace tarn::schedule {

ShiftableOrder::ShiftableOrder(const OrderGraph& graph, std::vector<int> order)
    : graph_(graph), order_(std::move(order)), position_(order_.size()), last_use_(graph.tensors.size(), -1) {
  const OrderCosts costs = costs_of(graph, order_);
  step_ = costs.step;
  live_ = costs.live;
  for (int i = 0; i < count_of(order_); ++i) at(position_, at(order_, i)) = i;
}

int ShiftableOrder::first_step(int from) const {
  int first = 0;
  for (int p : at(graph_.operators, at(order_, from)).before) first = std::max(first, at(position_, p) + 1);
  return first;
}

int ShiftableOrder::last_step(int from) const {
  int last = count_of(order_) - 1;
  for (int w : at(graph_.operators, at(order_, from)).after) last = std::min(last, at(position_, w) - 1);
  return last;
}

void ShiftableOrder::shift(int from, int to) {
  const auto begin = order_.begin();
  if (from < to) std::rotate(begin + from, begin + from + 1, begin + to + 1);
  else std::rotate(begin + to, begin + from, begin + from + 1);
  const int first = std::min(from, to), last = std::max(from, to);
  for (int i = first; i <= last; ++i) at(position_, at(order_, i)) = i;
  find_last_uses(first, last);
}

void ShiftableOrder::find_last_uses(int first, int last) {
  for (int i = first; i <= last; ++i) {
    for (int t : at(graph_.operators, at(order_, i)).uses) {
      int use = 0;
      for (int u : at(graph_.tensors, t).users) use = std::max(use, at(position_, u));
      at(last_use_, t) = use;
    }
  }
}

Bytes ShiftableOrder::reckon(int first, int last) {
  Bytes sum = 0;
  for (int i = first; i <= last; ++i) {
    const GraphOperator& op = at(graph_.operators, at(order_, i));
    Bytes saved = 0, freed = 0;
    for (int t : op.uses) freed += at(last_use_, t) == i ? at(graph_.tensors, t).bytes : 0;
    for (const Gift& g : op.gifts) saved = at(last_use_, g.giver) == i ? std::max(saved, g.saves) : saved;
    at(step_, i) = at(live_, i) + op.born + op.extra - saved;
    at(live_, i + 1) = at(live_, i) + op.born - freed;
    sum += at(step_, i);
  }
  return sum;
}

bool ShiftableOrder::move(int from, int to, Bytes top, Bytes growth) {
  const int first = std::min(from, to), last = std::max(from, to);
  const Bytes before = std::accumulate(step_.begin() + first, step_.begin() + last + 1, Bytes{0});
  shift(from, to);
  const Bytes sum = reckon(first, last);
  if (sum - before <= growth && *std::max_element(step_.begin() + first, step_.begin() + last + 1) <= top) return true;
  shift(to, from);
  reckon(first, last);
  return false;
}

}  // namespace tarn::schedule
