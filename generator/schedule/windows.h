// Improves an order window by window, where it needs the most: for graphs too large to be searched as a whole.
#pragma once
#include <vector>

#include "schedule/solve.h"

namespace tarn::schedule {

// Solves windows around the steps that need the most, until none can be improved, the peak is at most `target`, or
// the budget is used up. True when the peak of `order` has become smaller.
bool improve_windows(const OrderGraph& graph, std::vector<int>& order, Bytes target, Budget& budget,
                     const SearchFeatures& features);

}  // namespace tarn::schedule
