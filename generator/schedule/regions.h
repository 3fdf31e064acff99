// Parts of a graph that touch the rest only through one operator before and one after them, and the graph in which
// each such part is a short chain of blocks: the same least peak with fewer operators.
#pragma once
#include <vector>

#include "schedule/order_graph.h"

namespace tarn::schedule {

struct Condensed {
  OrderGraph graph;
  std::vector<std::vector<int>> members;  // by operator of `graph`: operators of the original, in the order they run
};

// Every order of the result, its operators replaced by their members, is one of `graph` with at most the same peak;
// and some order of least peak of `graph` is of that kind.
Condensed condense(const OrderGraph& graph);

}  // namespace tarn::schedule
