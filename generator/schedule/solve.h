// The least peak of a graph: its sections one by one, each by whatever it takes.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/order_graph.h"
#include "schedule/search_features.h"

namespace tarn::schedule {

// What a search may still do. Counted, not timed, so that the answer is the same everywhere.
struct Budget {
  int64_t words = 0;  // of sets, in searches over sets of finished operators; about 5 ns each
  int64_t arcs = 0;   // in flow networks; about 4 ns each
};

struct Solution {
  std::vector<int> operators;
  Bytes peak = 0, lower_bound = 0;
  uint64_t states = 0;  // opened by complete searches
  int bound_step = -1;  // operator whose step alone needs `lower_bound`; -1: the bound took a search
  SearchUse use;
};

// Starts from the order in which the operators are listed and is never worse. A peak of `target` or less is good
// enough. Takes what it uses off `budget`.
Solution solve(const OrderGraph& graph, Bytes target, Budget& budget, const SearchFeatures& features);

}  // namespace tarn::schedule
