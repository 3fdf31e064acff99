#include "schedule/flow.h"

#include <algorithm>

#include "schedule/at.h"

namespace tarn::schedule {

void FlowNetwork::reset(int nodes) {
  arcs_.clear();
  first_.assign(static_cast<size_t>(nodes), -1);
}

int FlowNetwork::add_node() {
  first_.push_back(-1);
  return count_of(first_) - 1;
}

void FlowNetwork::add_arc(int from, int to, Bytes capacity) {
  arcs_.push_back({to, at(first_, from), capacity});
  at(first_, from) = count_of(arcs_) - 1;
  arcs_.push_back({from, at(first_, to), 0});
  at(first_, to) = count_of(arcs_) - 1;
}

bool FlowNetwork::find_levels(int source, int sink, int64_t& work) {
  level_.assign(first_.size(), -1);
  at(level_, source) = 0;
  queue_.assign(1, source);
  for (size_t i = 0; i < queue_.size(); ++i) {
    const int node = queue_[i];
    for (int a = at(first_, node); a >= 0; a = at(arcs_, a).next) {
      --work;
      const int to = at(arcs_, a).to;
      if (at(arcs_, a).capacity == 0 || at(level_, to) >= 0) continue;
      at(level_, to) = at(level_, node) + 1;
      queue_.push_back(to);
    }
  }
  return at(level_, sink) >= 0;
}

// One augmenting path along the levels; 0 when there is none.
Bytes FlowNetwork::push_one(int source, int sink, int64_t& work) {
  path_.clear();
  int node = source;
  while (node != sink) {
    int& a = at(current_, node);
    while (a >= 0 && (at(arcs_, a).capacity == 0 || at(level_, at(arcs_, a).to) != at(level_, node) + 1)) {
      a = at(arcs_, a).next;
      --work;
    }
    if (a >= 0) {
      path_.push_back(a);
      node = at(arcs_, a).to;
    } else {
      if (path_.empty()) return 0;
      node = at(arcs_, path_.back() ^ 1).to;
      at(current_, node) = at(arcs_, path_.back()).next;  // leads nowhere
      path_.pop_back();
    }
  }
  Bytes flow = kUnbounded;
  for (int a : path_) flow = std::min(flow, at(arcs_, a).capacity);
  for (int a : path_) {
    at(arcs_, a).capacity -= flow;
    at(arcs_, a ^ 1).capacity += flow;
  }
  work -= count_of(path_);
  return flow;
}

Bytes FlowNetwork::send(int source, int sink, Bytes enough, int64_t& work) {
  Bytes sent = 0;
  while (sent < enough && work > 0 && find_levels(source, sink, work)) {
    current_ = first_;
    while (sent < enough && work > 0) {
      const Bytes more = push_one(source, sink, work);
      if (more == 0) break;
      sent += more;
    }
  }
  return sent;
}

void FlowNetwork::find_sink_side(int sink, std::vector<char>& sink_side) {
  sink_side.assign(first_.size(), 0);
  at(sink_side, sink) = 1;
  queue_.assign(1, sink);
  for (size_t i = 0; i < queue_.size(); ++i) {
    for (int a = at(first_, queue_[i]); a >= 0; a = at(arcs_, a).next) {
      const int from = at(arcs_, a).to;
      if (at(arcs_, a ^ 1).capacity == 0 || at(sink_side, from)) continue;
      at(sink_side, from) = 1;
      queue_.push_back(from);
    }
  }
}

}  // namespace tarn::schedule
