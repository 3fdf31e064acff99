// A graph made ready for searching sets of finished operators: closures as bit sets, and the events, that is the sets
// of operators after which a tensor dies or a kernel's scratch has been needed. See least_peak.md for what is proved.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "schedule/at.h"
#include "schedule/bits.h"
#include "schedule/order_graph.h"
#include "schedule/search_features.h"

namespace tarn::schedule {

// `need` has run when the event happens: `bytes` die. Several tensors with the same need are one event.
template <int W>
struct Event {
  Bits<W> need;
  int size = 0;  // of need
  Bytes bytes = 0;
  std::vector<int> takers;  // operators that save more by this tensor's death at them than by any sure gift
  // Events that happen before this one in every order, a few that come last, each with an operator this one needs on
  // top: while both are missing, this event's set is larger than that one's and not minimal.
  struct Earlier {
    int event, witness;
  };
  static constexpr int kMostEarlier = 3;
  std::array<Earlier, kMostEarlier> earlier{};
  int earlier_count = 0;
};

template <int W>
struct SearchGraph {
  struct Saving {
    Bits<W> need;  // of the giver's death
    Bytes bytes;   // on top of what is saved whatever the order
  };
  bool safe_moves = true;  // see SearchFeatures
  int count = 0;
  Bytes start = 0;       // alive before the first operator
  Bits<W> all, special;  // every operator; those whose step needs more or less than what is alive before it and born
  std::vector<Bits<W>> upto, after;  // by operator: itself and all before it; its direct successors
  std::vector<Bytes> born, own;      // own: extra less what is saved whatever the order
  std::vector<std::vector<Saving>> savings;
  std::vector<Event<W>> events;  // smaller needs first

  explicit SearchGraph(const OrderGraph& graph, const SearchFeatures& features);

  // What the step of v adds to live + born when v is the last of `done` to run.
  Bytes extra(int v, const Bits<W>& done) const {
    Bytes saved = 0;
    for (const Saving& s : at(savings, v)) {
      if (s.bytes > saved && s.need.within(done)) saved = s.bytes;
    }
    return at(own, v) - saved;
  }
  Bytes born_in(const Bits<W>& set) const {
    Bytes sum = 0;
    set.each([&](int v) { sum += at(born, v); });
    return sum;
  }

 private:
  void add_event(const Bits<W>& need, Bytes bytes, std::vector<int> takers) {
    events.push_back({need, need.count(), bytes, std::move(takers), {}, 0});
  }
  void merge_events();  // one per need
  void link_events();
};

// The operators of `graph` are listed in a valid order: those before an operator have smaller numbers.
template <int W>
SearchGraph<W>::SearchGraph(const OrderGraph& graph, const SearchFeatures& features)
    : safe_moves(features.safe_moves), count(graph.count()), start(graph.base) {
  std::vector<Bits<W>> need(graph.tensors.size());
  upto.resize(graph.operators.size());
  after.resize(graph.operators.size());
  savings.resize(graph.operators.size());
  for (int v = 0; v < count; ++v) {
    const GraphOperator& op = at(graph.operators, v);
    all.set(v);
    at(upto, v).set(v);
    for (int p : op.before) {
      at(upto, v) |= at(upto, p);
      at(after, p).set(v);
    }
    born.push_back(op.born);
    own.push_back(op.extra);
    if (op.extra != 0 || !op.gifts.empty()) special.set(v);
    if (op.extra > 0 || !features.freeing_sets) add_event(at(upto, v), 0, {});
  }
  for (int t = 0; t < count_of(graph.tensors); ++t) {
    const GraphTensor& tensor = at(graph.tensors, t);
    if (tensor.producer < 0) start += tensor.bytes;
    if (tensor.kept) continue;
    for (int u : tensor.users) at(need, t) |= at(upto, u);
    add_event(at(need, t), tensor.bytes, {});
  }
  for (int v = 0; v < count; ++v) {
    Bytes sure = 0;  // the giver's users are all before v: it dies at v whatever the order
    for (const Gift& g : at(graph.operators, v).gifts) {
      if (at(need, g.giver) == at(upto, v)) sure = std::max(sure, g.saves);
    }
    at(own, v) -= sure;
    for (const Gift& g : at(graph.operators, v).gifts) {
      if (g.saves <= sure) continue;
      at(savings, v).push_back({at(need, g.giver), g.saves - sure});
      add_event(at(need, g.giver), 0, {v});
    }
  }
  merge_events();
  link_events();
}

template <int W>
void SearchGraph<W>::merge_events() {
  std::vector<int> by_need(events.size());
  for (int i = 0; i < count_of(events); ++i) at(by_need, i) = i;
  const auto same_need = [&](int a, int b) { return at(events, a).need == at(events, b).need; };
  std::sort(by_need.begin(), by_need.end(), [&](int a, int b) {
    return same_need(a, b) ? a < b : at(events, a).need.words < at(events, b).need.words;
  });
  int first = -1;  // of those with the same need
  for (int i : by_need) {
    if (first < 0 || !same_need(first, i)) {
      first = i;
      continue;
    }
    at(events, first).bytes += at(events, i).bytes;
    at(events, first)
        .takers.insert(at(events, first).takers.end(), at(events, i).takers.begin(), at(events, i).takers.end());
    at(events, i).size = 0;
  }
  std::erase_if(events, [](const Event<W>& e) { return e.size == 0; });
  std::stable_sort(events.begin(), events.end(), [](const Event<W>& a, const Event<W>& b) { return a.size < b.size; });
}

template <int W>
void SearchGraph<W>::link_events() {
  for (int e = 0; e < count_of(events); ++e) {
    Event<W>& event = at(events, e);
    for (int f = e - 1; f >= 0 && event.earlier_count < Event<W>::kMostEarlier; --f) {
      const Event<W>& other = at(events, f);
      if (!other.need.within(event.need)) continue;
      const bool implied =
          std::any_of(event.earlier.begin(), event.earlier.begin() + event.earlier_count,
                      [&](const auto& known) { return other.need.within(at(events, known.event).need); });
      if (!implied) at(event.earlier, event.earlier_count++) = {f, event.need.minus(other.need).last()};
    }
  }
}

}  // namespace tarn::schedule
