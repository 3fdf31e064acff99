// Maximum flow (Dinic, 1970) on small networks that are built anew thousands of times; no recursion, work is counted.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/order_problem.h"

namespace tarn::schedule {

constexpr Bytes kUnbounded = Bytes{1} << 61;  // capacity of an arc that no cut may cross

class FlowNetwork {
 public:
  void reset(int nodes);  // no arcs
  int add_node();
  void add_arc(int from, int to, Bytes capacity);

  // Sends flow until none fits, at least `enough` has arrived, or `work` arcs have been looked at. What has arrived is
  // always a lower bound of the minimum cut; it is that cut when less than `enough` and `work` is not used up.
  Bytes send(int source, int sink, Bytes enough, int64_t& work);

  // Puts the network back into the state it was in when `keep` was called.
  void keep() { kept_ = arcs_; }
  void restore() { arcs_ = kept_; }

  // After `send` ran dry: is there capacity left from the source to the node? Those nodes are the smallest minimum cut.
  bool on_source_side(int node) const { return level_[static_cast<size_t>(node)] >= 0; }

  // Nodes from which more could be sent to the sink; those from which nothing can are the largest minimum cut.
  void find_sink_side(int sink, std::vector<char>& sink_side);

 private:
  struct Arc {
    int to, next;
    Bytes capacity;
  };
  bool find_levels(int source, int sink, int64_t& work);
  Bytes push_one(int source, int sink, int64_t& work);

  std::vector<Arc> arcs_, kept_;  // arc a and its reverse a ^ 1
  std::vector<int> first_, level_, current_, queue_, path_;
};

}  // namespace tarn::schedule
