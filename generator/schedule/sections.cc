#include "schedule/sections.h"

#include <algorithm>

#include "schedule/at.h"

namespace tarn::schedule {

// Operators before and after position k are all ordered exactly when each maximal one of the first is a direct
// predecessor of each minimal one of the rest. Operator v is maximal among the first k for k in (position, first
// successor], minimal among the rest for k in (last predecessor, position], and a direct dependency v -> w joins two
// such for k in (last predecessor of w, first successor of v]: counting intervals decides every k in linear time.
std::vector<int> section_ends(const OrderGraph& graph, const std::vector<int>& order) {
  const int count = graph.count();
  std::vector<int> position(order.size());
  for (int i = 0; i < count; ++i) at(position, at(order, i)) = i;
  std::vector<int> first_successor(order.size(), count), last_predecessor(order.size(), -1);
  for (int v = 0; v < count; ++v) {
    for (int p : at(graph.operators, v).before) {
      at(last_predecessor, v) = std::max(at(last_predecessor, v), at(position, p));
      at(first_successor, p) = std::min(at(first_successor, p), at(position, v));
    }
  }
  std::vector<int64_t> maximal(order.size() + 2), minimal(order.size() + 2), joined(order.size() + 2);
  const auto mark = [](std::vector<int64_t>& at_k, int after, int last) {  // k in (after, last]
    if (after >= last) return;
    ++at(at_k, after + 1);
    --at(at_k, last + 1);
  };
  for (int v = 0; v < count; ++v) {
    mark(maximal, at(position, v), at(first_successor, v));
    mark(minimal, at(last_predecessor, v), at(position, v));
    for (int p : at(graph.operators, v).before) mark(joined, at(last_predecessor, v), at(first_successor, p));
  }
  std::vector<int> ends{0};
  int64_t tops = 0, bottoms = 0, joins = 0;
  for (int k = 0; k <= count; ++k) {
    tops += at(maximal, k);
    bottoms += at(minimal, k);
    joins += at(joined, k);
    if (k > 0 && (k == count || tops * bottoms == joins)) ends.push_back(k);
  }
  return ends;
}

WindowCutter::WindowCutter(const OrderGraph& graph, const std::vector<int>& order)
    : graph_(graph),
      order_(order),
      position_(order.size()),
      last_use_(graph.tensors.size(), count_of(order)),
      live_(costs_of(graph, order).live),
      place_(graph.tensors.size(), -1) {
  for (int i = 0; i < count_of(order); ++i) at(position_, at(order, i)) = i;
  for (int t = 0; t < count_of(graph.tensors); ++t) {
    if (at(graph.tensors, t).kept) continue;
    at(last_use_, t) = 0;
    for (int u : at(graph.tensors, t).users) at(last_use_, t) = std::max(at(last_use_, t), at(position_, u));
  }
}

// Place of tensor t in the part, made on the first call; -1 for one that is alive throughout.
int WindowCutter::add_tensor(int t, int first, int end, OrderGraph& part, std::vector<int>& touched) {
  if (at(place_, t) >= 0) return at(place_, t);
  const GraphTensor& tensor = at(graph_.tensors, t);
  const bool within = tensor.producer >= 0 && at(position_, tensor.producer) >= first;
  const bool held = at(last_use_, t) >= end;
  if (held && !within) return -1;
  at(place_, t) = count_of(part.tensors);
  touched.push_back(t);
  part.tensors.push_back({tensor.bytes, within ? at(position_, tensor.producer) - first : -1, held, {}});
  if (!held) {
    std::vector<int>& users = part.tensors.back().users;
    for (int u : tensor.users) {
      if (at(position_, u) >= first) users.push_back(at(position_, u) - first);
    }
    std::sort(users.begin(), users.end());
  }
  return at(place_, t);
}

OrderGraph WindowCutter::cut(int first, int end) {
  OrderGraph part;
  std::vector<int> touched;
  part.base = at(live_, first);
  part.operators.resize(static_cast<size_t>(end - first));
  for (int i = first; i < end; ++i) {
    const GraphOperator& op = at(graph_.operators, at(order_, i));
    GraphOperator& own = at(part.operators, i - first);
    own.born = op.born;
    own.extra = op.extra;
    for (int t : op.makes) own.makes.push_back(add_tensor(t, first, end, part, touched));
    for (int t : op.uses) {
      const int place = add_tensor(t, first, end, part, touched);
      if (place >= 0 && !at(part.tensors, place).kept) own.uses.push_back(place);
    }
    for (const Gift& g : op.gifts) {
      const int place = at(place_, g.giver);
      if (place >= 0 && !at(part.tensors, place).kept) own.gifts.push_back({place, g.saves});
    }
    for (int p : op.before) {
      if (at(position_, p) >= first) own.before.push_back(at(position_, p) - first);
    }
    std::sort(own.before.begin(), own.before.end());
    for (int p : own.before) at(part.operators, p).after.push_back(i - first);
  }
  for (const GraphTensor& t : part.tensors) {
    if (t.producer < 0) part.base -= t.bytes;
  }
  for (int t : touched) at(place_, t) = -1;
  return part;
}

}  // namespace tarn::schedule
