#include "schedule/least_live.h"

#include <algorithm>

#include "schedule/at.h"

namespace tarn::schedule {

namespace {
constexpr int kFlowSource = 0, kFlowSink = 1;
}

// The done operators are the source side. A tensor costs its bytes when its producer is on the source side and one of
// its users is not: an arc of that capacity from the producer, shared by all users.
void LeastLive::add_tensor(const GraphTensor& tensor, Bytes& fixed) {
  const int producer = tensor.producer;
  if (producer >= 0 && at(moment_, producer) == Side::waiting) return;
  const bool born = producer < 0 || at(moment_, producer) == Side::done;
  const int from = born ? kFlowSource : at(node_, producer);
  bool held = tensor.kept;
  int open_users = 0, some_user = -1;
  for (int u : tensor.users) {
    if (at(moment_, u) == Side::waiting) held = true;
    if (at(moment_, u) == Side::either) ++open_users, some_user = u;
  }
  if (held && born) {
    fixed += tensor.bytes;
  } else if (held) {
    network_.add_arc(from, kFlowSink, tensor.bytes);
  } else if (open_users == 1) {
    network_.add_arc(from, at(node_, some_user), tensor.bytes);
  } else if (open_users > 1) {
    const int joint = network_.add_node();
    network_.add_arc(from, joint, tensor.bytes);
    for (int u : tensor.users) {
      if (at(moment_, u) == Side::either) network_.add_arc(joint, at(node_, u), kUnbounded);
    }
  }
}

Bytes LeastLive::between(const std::vector<Side>& side, Bytes enough, int64_t& work) {
  if (&side != &moment_) moment_ = side;
  node_.assign(moment_.size(), -1);
  int nodes = 2;
  for (int v = 0; v < graph_.count(); ++v) {
    if (at(moment_, v) == Side::either) at(node_, v) = nodes++;
  }
  open_ = nodes - 2;
  network_.reset(nodes);
  for (int v = 0; v < graph_.count(); ++v) {
    if (at(moment_, v) != Side::either) continue;
    for (int p : at(graph_.operators, v).before) {
      if (at(moment_, p) == Side::either) network_.add_arc(at(node_, v), at(node_, p), kUnbounded);
    }
  }
  Bytes fixed = graph_.base;
  for (const GraphTensor& t : graph_.tensors) add_tensor(t, fixed);
  work -= count_of(graph_.tensors) + count_of(graph_.operators);
  if (nodes == 2 || fixed >= enough) return fixed;
  return fixed + network_.send(kFlowSource, kFlowSink, enough - fixed, work);
}

bool LeastLive::mark_run(int v) {
  if (at(moment_, v) == Side::done) return true;
  stack_.assign(1, v);
  while (!stack_.empty()) {
    const int u = stack_.back();
    stack_.pop_back();
    if (at(moment_, u) == Side::waiting) return false;
    if (at(moment_, u) == Side::done) continue;
    at(moment_, u) = Side::done;
    for (int p : at(graph_.operators, u).before) stack_.push_back(p);
  }
  return true;
}

bool LeastLive::mark_moment(int v) {
  for (int p : at(graph_.operators, v).before) {
    if (!mark_run(p)) return false;
  }
  stack_.assign(1, v);
  while (!stack_.empty()) {
    const int u = stack_.back();
    stack_.pop_back();
    if (at(moment_, u) == Side::done) return false;
    if (at(moment_, u) == Side::waiting) continue;
    at(moment_, u) = Side::waiting;
    for (int w : at(graph_.operators, u).after) stack_.push_back(w);
  }
  return true;
}

bool LeastLive::settled(int tensor, int v) const {
  for (int u : at(graph_.tensors, tensor).users) {
    if (u != v && at(moment_, u) != Side::done) return false;
  }
  return true;
}

Bytes LeastLive::step(int v, const std::vector<Side>& side, Bytes enough, int64_t& work) {
  moment_ = side;
  work -= count_of(side);
  if (!mark_moment(v)) return kUnbounded;
  const GraphOperator& op = at(graph_.operators, v);
  const Bytes own = op.born + op.extra;
  Bytes sure = 0, most = 0;  // saved whatever the order; saved if the order suits
  for (const Gift& g : op.gifts) {
    if (settled(g.giver, v)) sure = std::max(sure, g.saves);
    most = std::max(most, g.saves);
  }
  plain_ = moment_;
  const Bytes live = between(moment_, enough - own + most, work);
  Bytes least = live + own - sure;
  for (const Gift& g : op.gifts) {  // or: every other user of the giver has run before
    if (g.saves <= sure || live + own - g.saves >= least) continue;
    moment_ = plain_;
    bool possible = true;
    for (int u : at(graph_.tensors, g.giver).users) possible = possible && (u == v || mark_run(u));
    if (possible)
      least = std::min(least, between(moment_, std::min(enough, least) - own + g.saves, work) + own - g.saves);
  }
  return least;
}

StepBound cut_bound(const OrderGraph& graph, const std::vector<int>& order, const OrderCosts& costs, Bytes enough,
                    int64_t& work) {
  LeastLive least(graph);
  const std::vector<Side> open(order.size(), Side::either);
  std::vector<int> steps(order.size());
  for (int i = 0; i < count_of(order); ++i) at(steps, i) = i;
  std::ranges::sort(steps, {}, [&](int i) { return std::pair(-at(costs.step, i), i); });
  StepBound bound{costs.live.front()};
  for (int i : steps) {
    if (bound.bytes >= enough || at(costs.step, i) <= bound.bytes || work <= 0) break;
    const Bytes least_here = least.step(at(order, i), open, enough, work);
    if (least_here > bound.bytes) bound = {least_here, at(order, i)};
  }
  return bound;
}

}  // namespace tarn::schedule
