#include "schedule/greedy.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "schedule/at.h"
#include "schedule/tuning.h"

namespace tarn::schedule {

namespace {

class Greedy {
 public:
  Greedy(const OrderGraph& graph, GreedyRule rule)
      : graph_(graph),
        rule_(rule),
        done_(graph.operators.size(), 0),
        version_(graph.tensors.size(), 0),
        way_of_(graph.operators.size()),
        seen_(graph.operators.size(), 0) {
    for (const GraphTensor& t : graph.tensors) missing_.push_back(count_of(t.users));
  }

  std::vector<int> run() {
    for (int t = 0; t < count_of(graph_.tensors); ++t) {
      if (at(graph_.tensors, t).producer < 0) look_at(t);
    }
    for (int next = 0; order_.size() < done_.size();) {
      if (run_best()) continue;
      while (at(done_, next)) ++next;  // nothing can be freed on a short way: as listed
      run_operator(next);
      look_at_stale();
    }
    return std::move(order_);
  }

 private:
  using Entry = std::tuple<Bytes, Bytes, int, int>;  // keys, tensor, version

  // What has to run before tensor t dies, in `way_`, ascending. False when that is too much.
  bool find_way(int t) {
    way_.clear();
    ++mark_;
    const auto visit = [this](int v) {
      if (at(done_, v) || at(seen_, v) == mark_) return;
      at(seen_, v) = mark_;
      way_.push_back(v);
    };
    for (int u : at(graph_.tensors, t).users) visit(u);
    for (size_t i = 0; i < way_.size(); ++i) {
      if (way_.size() > kLongestWay) return false;
      for (int p : at(graph_.operators, way_[i]).before) visit(p);
    }
    std::sort(way_.begin(), way_.end());
    return true;
  }

  // Bytes that die on `way_`.
  Bytes freed_on_way() {
    Bytes freed = 0;
    for (int v : way_) {
      for (int t : at(graph_.operators, v).uses) {
        const GraphTensor& tensor = at(graph_.tensors, t);
        const bool last = std::none_of(tensor.users.begin(), tensor.users.end(),
                                       [&](int u) { return !at(done_, u) && (at(seen_, u) != mark_ || u > v); });
        if (last) freed += tensor.bytes;
      }
    }
    return freed;
  }

  void look_at(int t) {
    ++at(version_, t);
    if (at(missing_, t) == 0 || !find_way(t)) return;
    Bytes born = 0;
    for (int v : way_) {
      born += at(graph_.operators, v).born;
      at(way_of_, v).push_back(t);
    }
    const Bytes growth = born - freed_on_way();
    const Bytes key = rule_ == GreedyRule::least_growth || growth <= 0 ? growth : born;
    ready_.push({key, born, t, at(version_, t)});
  }

  bool run_best() {
    while (!ready_.empty()) {
      const auto [key, second, t, version] = ready_.top();
      ready_.pop();
      if (version != at(version_, t)) continue;
      if (!find_way(t)) continue;
      const std::vector<int> way = way_;
      for (int v : way) run_operator(v);
      look_at_stale();
      return true;
    }
    return false;
  }

  void run_operator(int v) {
    at(done_, v) = 1;
    order_.push_back(v);
    for (int t : at(graph_.operators, v).uses) {
      --at(missing_, t);
      stale_.push_back(t);
    }
    for (int t : at(graph_.operators, v).makes) {
      if (!at(graph_.tensors, t).kept) stale_.push_back(t);
    }
    // Ways only grow shorter: what was on one still is, until it runs.
    stale_.insert(stale_.end(), at(way_of_, v).begin(), at(way_of_, v).end());
    at(way_of_, v).clear();
  }

  void look_at_stale() {
    std::sort(stale_.begin(), stale_.end());
    stale_.erase(std::unique(stale_.begin(), stale_.end()), stale_.end());
    const std::vector<int> stale = std::move(stale_);
    stale_.clear();
    for (int t : stale) look_at(t);
  }

  const OrderGraph& graph_;
  const GreedyRule rule_;
  std::vector<char> done_;
  std::vector<int> missing_, version_;    // by tensor: users that have not run; which look at it is current
  std::vector<std::vector<int>> way_of_;  // by operator: tensors whose way it is on
  std::vector<int> way_, seen_, stale_, order_;
  int mark_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;
};

}  // namespace

std::vector<int> greedy_order(const OrderGraph& graph, GreedyRule rule) { return Greedy(graph, rule).run(); }

}  // namespace tarn::schedule
