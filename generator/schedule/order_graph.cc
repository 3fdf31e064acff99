#include "schedule/order_graph.h"

#include <algorithm>
#include <numeric>

#include "schedule/at.h"
#include "support/check.h"
#include "support/checked.h"

namespace tarn::schedule {

namespace {

constexpr Bytes kMostBytes = Bytes{1} << 50;  // of everything together: sums over steps cannot overflow

void make_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

bool is_index(int i, int count) { return i >= 0 && i < count; }

void check_total(const OrderProblem& problem) {
  Checked total = 0;
  for (const OrderTensor& t : problem.tensors) {
    TARN_CHECK(t.bytes >= 0);
    total = checked_add(total, t.bytes);
  }
  for (const OrderOperator& op : problem.operators) {
    TARN_CHECK(op.scratch >= 0);
    total = checked_add(total, op.scratch);
  }
  TARN_CHECK(total && *total <= kMostBytes);
}

// Producers and users of the problem's tensors; checks that every use comes after its production.
struct Wiring {
  std::vector<int> producer;
  std::vector<std::vector<int>> users;
};

Wiring wire(const OrderProblem& problem) {
  const int tensors = count_of(problem.tensors);
  Wiring w{std::vector<int>(problem.tensors.size(), -1), std::vector<std::vector<int>>(problem.tensors.size())};
  for (int v = 0; v < count_of(problem.operators); ++v) {
    for (int t : at(problem.operators, v).inputs) {
      TARN_CHECK(is_index(t, tensors));
      TARN_CHECK(at(problem.tensors, t).input || at(w.producer, t) >= 0);
      if (at(w.users, t).empty() || at(w.users, t).back() != v) at(w.users, t).push_back(v);
    }
    for (int t : at(problem.operators, v).outputs) {
      TARN_CHECK(is_index(t, tensors));
      TARN_CHECK(!at(problem.tensors, t).input && at(w.producer, t) < 0);
      at(w.producer, t) = v;
    }
  }
  return w;
}

// The gifts of one operator in terms of the graph's tensors (`place`: -1 for those that are not in it or never die).
std::vector<Gift> gifts_of(const OrderProblem& problem, const OrderOperator& op, const std::vector<int>& place) {
  std::vector<Gift> gifts;
  for (const Donation& d : op.donations) {
    TARN_CHECK(std::find(op.inputs.begin(), op.inputs.end(), d.giver) != op.inputs.end());
    TARN_CHECK(std::find(op.outputs.begin(), op.outputs.end(), d.taker) != op.outputs.end());
    TARN_CHECK(d.saves >= 0);
    TARN_CHECK(d.saves <= std::min(at(problem.tensors, d.giver).bytes, at(problem.tensors, d.taker).bytes));
    const int t = at(place, d.giver);
    if (t < 0 || d.saves == 0) continue;
    const auto same = std::find_if(gifts.begin(), gifts.end(), [t](const Gift& g) { return g.giver == t; });
    if (same == gifts.end()) {
      gifts.push_back({t, d.saves});
    } else {
      same->saves = std::max(same->saves, d.saves);
    }
  }
  return gifts;
}

void add_dependencies(const OrderProblem& problem, const Wiring& wiring, OrderGraph& graph) {
  for (int v = 0; v < graph.count(); ++v) {
    std::vector<int>& before = at(graph.operators, v).before;
    for (int t : at(problem.operators, v).inputs) {
      if (const int p = at(wiring.producer, t); p >= 0) before.push_back(p);
    }
    make_unique(before);
    for (int p : before) at(graph.operators, p).after.push_back(v);
  }
}

// Adds what tensor t costs; its place in the graph when it dies at some step, else -1.
int add_tensor(const OrderTensor& tensor, int producer, const std::vector<int>& users, OrderGraph& graph) {
  if (tensor.bytes == 0) return -1;
  if (users.empty() && !tensor.kept) {
    if (producer >= 0) at(graph.operators, producer).extra += tensor.bytes;
    return -1;
  }
  if (producer < 0 && tensor.kept) {
    graph.base += tensor.bytes;
    return -1;
  }
  const int place = count_of(graph.tensors);
  graph.tensors.push_back({tensor.bytes, producer, tensor.kept, {}});
  if (producer >= 0) {
    at(graph.operators, producer).born += tensor.bytes;
    at(graph.operators, producer).makes.push_back(place);
  }
  if (tensor.kept) return -1;
  graph.tensors.back().users = users;
  for (int u : users) at(graph.operators, u).uses.push_back(place);
  return place;
}

}  // namespace

OrderGraph graph_of(const OrderProblem& problem) {
  check_total(problem);
  const Wiring wiring = wire(problem);
  OrderGraph graph;
  graph.operators.resize(problem.operators.size());
  add_dependencies(problem, wiring, graph);
  for (int v = 0; v < graph.count(); ++v) at(graph.operators, v).extra = at(problem.operators, v).scratch;
  std::vector<int> place;
  for (int t = 0; t < count_of(problem.tensors); ++t) {
    place.push_back(add_tensor(at(problem.tensors, t), at(wiring.producer, t), at(wiring.users, t), graph));
  }
  for (int v = 0; v < graph.count(); ++v) {
    at(graph.operators, v).gifts = gifts_of(problem, at(problem.operators, v), place);
  }
  return graph;
}

OrderCosts costs_of(const OrderGraph& graph, const std::vector<int>& order) {
  TARN_CHECK(order.size() == graph.operators.size());
  std::vector<char> done(graph.operators.size(), 0);
  std::vector<size_t> missing;  // users that have not run, by tensor
  Bytes live = graph.base;
  for (const GraphTensor& t : graph.tensors) {
    missing.push_back(t.users.size());
    if (t.producer < 0) live += t.bytes;
  }
  OrderCosts costs;
  costs.live.push_back(live);
  costs.peak = order.empty() ? live : 0;
  for (int v : order) {
    TARN_CHECK(is_index(v, graph.count()) && !at(done, v));
    const GraphOperator& op = at(graph.operators, v);
    for (int p : op.before) TARN_CHECK(at(done, p));
    at(done, v) = 1;
    Bytes saved = 0, freed = 0;
    for (int t : op.uses) {
      if (--at(missing, t) == 0) freed += at(graph.tensors, t).bytes;
    }
    for (const Gift& g : op.gifts) {
      if (at(missing, g.giver) == 0) saved = std::max(saved, g.saves);
    }
    costs.step.push_back(live + op.born + op.extra - saved);
    costs.peak = std::max(costs.peak, costs.step.back());
    live += op.born - freed;
    costs.live.push_back(live);
  }
  return costs;
}

std::vector<int> listed_order(const OrderGraph& graph) {
  std::vector<int> order(graph.operators.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Bytes peak_of(const OrderProblem& problem, const std::vector<int>& order) {
  return costs_of(graph_of(problem), order).peak;
}

}  // namespace tarn::schedule
