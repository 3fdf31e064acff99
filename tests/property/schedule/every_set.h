// Every set of finished operators of a small graph, as order_graph.h words the cost of a step. Shares no code with the
// search: what the inferences say of all orders is compared with what all orders do.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule::testing {

using Set = uint32_t;  // of operators

class GraphSets {
 public:
  explicit GraphSets(const OrderGraph& graph) : graph_(graph), count_(graph.operators.size()) {}

  size_t sets() const { return size_t{1} << count_; }

  bool closed(Set done) const {
    for (size_t v = 0; v < count_; ++v) {
      if ((done >> v & 1) == 0) continue;
      for (int p : graph_.operators[v].before) {
        if ((done >> p & 1) == 0) return false;
      }
    }
    return true;
  }
  bool ready(Set done, size_t v) const { return (done >> v & 1) == 0 && closed(done) && closed(done | Set{1} << v); }

  Bytes live(Set done) const {
    Bytes sum = graph_.base;
    for (const GraphTensor& t : graph_.tensors) {
      if (t.producer >= 0 && (done >> t.producer & 1) == 0) continue;
      if (t.kept || waiting(t, done)) sum += t.bytes;
    }
    return sum;
  }
  Bytes step(Set done, size_t v) const {
    const GraphOperator& op = graph_.operators[v];
    Bytes saved = 0;
    for (const Gift& g : op.gifts) {
      const GraphTensor& giver = graph_.tensors[static_cast<size_t>(g.giver)];
      if (!giver.kept && !waiting(giver, done | Set{1} << v)) saved = std::max(saved, g.saves);
    }
    return live(done) + op.born + op.extra - saved;
  }

  Bytes least_peak() const {
    std::vector<Bytes> least(sets(), INT64_MAX);
    least[0] = live(0);
    for (Set done = 0; done < least.size(); ++done) {
      if (least[done] == INT64_MAX) continue;
      for (size_t v = 0; v < count_; ++v) {
        if (!ready(done, v)) continue;
        Bytes& next = least[done | Set{1} << v];
        next = std::min(next, std::max(least[done], step(done, v)));
      }
    }
    return least.back();
  }

  // By set: is it on an order whose steps need at most `top`?
  std::vector<char> within(Bytes top) const {
    std::vector<char> reached(sets(), 0), leads(sets(), 0);
    reached[0] = live(0) <= top;
    for (Set done = 0; done < sets(); ++done) {
      for (size_t v = 0; reached[done] && v < count_; ++v) {
        if (ready(done, v) && step(done, v) <= top) reached[done | Set{1} << v] = 1;
      }
    }
    leads.back() = reached.back();
    for (Set done = static_cast<Set>(sets()) - 1; done-- > 0;) {
      for (size_t v = 0; reached[done] && v < count_; ++v) {
        if (ready(done, v) && step(done, v) <= top && leads[done | Set{1} << v]) leads[done] = 1;
      }
    }
    return leads;
  }

 private:
  static bool waiting(const GraphTensor& t, Set done) {
    return std::any_of(t.users.begin(), t.users.end(), [&](int u) { return (done >> u & 1) == 0; });
  }

  const OrderGraph& graph_;
  size_t count_;
};

}  // namespace tarn::schedule::testing
