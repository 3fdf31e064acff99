// Dependencies that every order within a given top obeys, although the graph does not ask for them.
//
// When running u before v would force more than the top alive while v runs, or while u runs without v, then v comes
// first. Each such pair narrows all others, so this goes round until nothing changes; it often ends in a contradiction,
// which proves that no order is within the top. See least_peak.md, F6.
#pragma once
#include <cstdint>
#include <optional>

#include "schedule/order_graph.h"

namespace tarn::schedule {

struct Implied {
  bool impossible = false;   // no order is within the top
  int added = 0;             // dependencies; when there are any:
  OrderGraph graph;          // the graph with them, its operators listed in a valid order
  std::vector<int> members;  // by operator of it: the operator of the given graph
};

// Stops early, with what it has, when `work` is used up.
Implied imply_order(const OrderGraph& graph, Bytes top, int64_t& work);

}  // namespace tarn::schedule
