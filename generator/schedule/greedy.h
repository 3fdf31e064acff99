// A good order of a graph of any size in little time: always the cheapest way to free some tensor next.
#pragma once
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

enum class GreedyRule {
  least_growth,  // the way that leaves the fewest live bytes
  least_born,    // the way that makes the fewest bytes on it
};

std::vector<int> greedy_order(const OrderGraph& graph, GreedyRule rule);

}  // namespace tarn::schedule
