#include "schedule/implied_order.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <utility>

#include "schedule/at.h"
#include "schedule/least_live.h"
#include "schedule/sections.h"

namespace tarn::schedule {

namespace {

constexpr int kSource = 0, kSink = 1;

// Who comes before whom, as rows of bits.
class Precedence {
 public:
  explicit Precedence(const OrderGraph& graph)
      : words_((graph.operators.size() + 63) / 64), before_(graph.operators.size() * words_), after_(before_.size()) {
    for (int v = 0; v < graph.count(); ++v) {
      for (int p : at(graph.operators, v).before) add(p, v);
    }
  }
  bool precedes(int a, int b) const { return (row(before_, b)[word(a)] & bit(a)) != 0; }

  // Is `set` (a row without v) possible when v runs: closed, with all that comes before v? What comes after v is then
  // outside too, as it needs v.
  bool possible(const std::vector<uint64_t>& set, int v) const {
    for (size_t k = 0; k < words_; ++k) {
      if ((row(before_, v)[k] & ~set[k]) != 0) return false;
    }
    for (size_t i = 0; i < words_; ++i) {
      for (uint64_t w = set[i]; w != 0; w &= w - 1) {
        const uint64_t* needs = row(before_, static_cast<int>(64 * i) + std::countr_zero(w));
        for (size_t k = 0; k < words_; ++k) {
          if ((needs[k] & ~set[k]) != 0) return false;
        }
      }
    }
    return true;
  }

  void add(int a, int b) {
    for (int y : with(after_, b)) merge(row(before_, y), row(before_, a), a);
    for (int x : with(before_, a)) merge(row(after_, x), row(after_, b), b);
  }

 private:
  using Rows = std::vector<uint64_t>;
  static uint64_t bit(int i) { return uint64_t{1} << (i & 63); }
  static size_t word(int i) { return static_cast<size_t>(i) / 64; }
  uint64_t* row(Rows& rows, int i) { return rows.data() + static_cast<size_t>(i) * words_; }
  const uint64_t* row(const Rows& rows, int i) const { return rows.data() + static_cast<size_t>(i) * words_; }
  void merge(uint64_t* to, const uint64_t* from, int self) const {
    for (size_t k = 0; k < words_; ++k) to[k] |= from[k];
    to[word(self)] |= bit(self);
  }
  std::vector<int> with(const Rows& rows, int i) const {  // i and those of its row
    std::vector<int> list{i};
    for (size_t k = 0; k < words_; ++k) {
      for (uint64_t w = row(rows, i)[k]; w != 0; w &= w - 1)
        list.push_back(static_cast<int>(64 * k) + std::countr_zero(w));
    }
    return list;
  }

  size_t words_;
  Rows before_, after_;
};

// Tests, operator by operator, what may have run when it runs.
class Implier {
 public:
  Implier(const OrderGraph& graph, Bytes top)
      : graph_(graph), top_(top), precedence_(graph_), least_(graph_), seen_(graph.operators.size()) {}

  // False when no order is within the top.
  bool run(int64_t& work) {
    for (bool changed = true; changed && work > 0;) {
      changed = false;
      for (int v = 0; v < graph_.count() && work > 0; ++v) {
        arcs_.clear();
        if (!look_at(v, work)) return false;
        // They close no cycle: each agrees with every set that is possible when v runs, and there is one.
        for (const auto& [a, b] : arcs_) {
          if (precedence_.precedes(a, b)) continue;
          precedence_.add(a, b);
          add_dependency(a, b);
          changed = true;
        }
      }
    }
    return true;
  }
  int added() const { return added_; }
  const OrderGraph& graph() const { return graph_; }

 private:
  void add_dependency(int a, int b) {
    std::vector<int>& before = at(graph_.operators, b).before;
    before.insert(std::lower_bound(before.begin(), before.end(), a), a);
    std::vector<int>& after = at(graph_.operators, a).after;
    after.insert(std::lower_bound(after.begin(), after.end(), b), b);
    ++added_;
  }

  // Least the step of v adds to live bytes, whatever the order.
  Bytes own_bytes(int v) const {
    const GraphOperator& op = at(graph_.operators, v);
    Bytes saved = 0;
    for (const Gift& g : op.gifts) {
      const std::vector<int>& users = at(graph_.tensors, g.giver).users;
      const bool possible = std::none_of(users.begin(), users.end(), [&](int u) { return precedence_.precedes(v, u); });
      if (possible) saved = std::max(saved, g.saves);
    }
    return op.born + op.extra - saved;
  }

  bool look_at(int v, int64_t& work) {
    sides_.assign(graph_.operators.size(), Side::either);
    for (int u = 0; u < graph_.count(); ++u) {
      if (precedence_.precedes(u, v)) at(sides_, u) = Side::done;
      if (u == v || precedence_.precedes(v, u)) at(sides_, u) = Side::waiting;
    }
    const Bytes slack = top_ - own_bytes(v);
    const Bytes live = least_.between(sides_, slack + 1, work);
    if (live > slack) return false;
    if (work <= 0) return true;
    std::erase_if(at(seen_, v), [&](const Set& set) { return !precedence_.possible(set, v); });
    may_run_.assign(words(), 0);
    may_wait_.assign(words(), 0);
    for (const Set& set : at(seen_, v)) note(set);
    FlowNetwork& network = least_.network();
    if (least_.anything_open()) {
      add_seen(v, [&](int node) { return network.on_source_side(node); });
      network.find_sink_side(kSink, sink_side_);
      add_seen(v, [&](int node) { return !at(sink_side_, node); });
      network.keep();
    }
    for (int u = 0; u < graph_.count() && work > 0; ++u) {
      if (at(sides_, u) != Side::either) continue;
      if (!has(may_run_, u) && !test(v, least_.node(u), kSink, slack - live, work)) arcs_.push_back({v, u});
      if (!has(may_wait_, u) && !test(v, kSource, least_.node(u), slack - live, work)) arcs_.push_back({u, v});
    }
    return true;
  }

  // With `from` on the source side, `to` on the sink side: is there slack? What has run then is seen to be possible.
  bool test(int v, int from, int to, Bytes slack, int64_t& work) {
    FlowNetwork& network = least_.network();
    const bool possible = network.send(from, to, slack + 1, work) <= slack;
    if (possible && work > 0) {
      add_seen(v, [&](int node) { return network.on_source_side(node) || (from != kSource && !at(sink_side_, node)); });
    }
    network.restore();
    return possible;
  }

  using Set = std::vector<uint64_t>;  // of operators that have run
  size_t words() const { return (graph_.operators.size() + 63) / 64; }
  static bool has(const Set& set, int u) { return (set[static_cast<size_t>(u) / 64] >> (u & 63) & 1) != 0; }
  static void put(Set& set, int u) { set[static_cast<size_t>(u) / 64] |= uint64_t{1} << (u & 63); }

  void note(const Set& set) {
    for (size_t k = 0; k < set.size(); ++k) {
      may_run_[k] |= set[k];
      may_wait_[k] |= ~set[k];
    }
  }
  template <class HasRun>
  void add_seen(int v, HasRun has_run) {
    Set set(words(), 0);
    for (int u = 0; u < graph_.count(); ++u) {
      const Side side = at(sides_, u);
      if (side == Side::done || (side == Side::either && has_run(least_.node(u)))) put(set, u);
    }
    note(set);
    at(seen_, v).push_back(std::move(set));
  }

  OrderGraph graph_;  // with the dependencies found
  Bytes top_;
  Precedence precedence_;
  LeastLive least_;
  std::vector<Side> sides_;
  std::vector<std::vector<Set>> seen_;  // by operator: sets that may have run when it runs
  Set may_run_, may_wait_;              // in some of those: operators that have run, that wait
  std::vector<char> sink_side_;
  std::vector<std::pair<int, int>> arcs_;
  int added_ = 0;
};

// The operators in a valid order, lower numbers first where there is a choice.
std::vector<int> valid_order(const OrderGraph& graph) {
  std::vector<int> missing, order;
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int v = 0; v < graph.count(); ++v) {
    missing.push_back(count_of(at(graph.operators, v).before));
    if (missing.back() == 0) ready.push(v);
  }
  while (!ready.empty()) {
    const int v = ready.top();
    ready.pop();
    order.push_back(v);
    for (int w : at(graph.operators, v).after) {
      if (--at(missing, w) == 0) ready.push(w);
    }
  }
  return order;
}

}  // namespace

Implied imply_order(const OrderGraph& graph, Bytes top, int64_t& work) {
  Implied result;
  Implier implier(graph, top);
  result.impossible = !implier.run(work);
  result.added = implier.added();
  if (result.impossible || result.added == 0) return result;
  result.members = valid_order(implier.graph());
  result.graph = WindowCutter(implier.graph(), result.members).cut(0, graph.count());
  return result;
}

}  // namespace tarn::schedule
