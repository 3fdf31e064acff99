// The least peak of one section of a graph, by everything there is, cheapest first.
#pragma once
#include "schedule/solve.h"

namespace tarn::schedule {

// As `solve`; `known_bound` is a lower bound proved by other means.
Solution search_section(const OrderGraph& graph, Bytes known_bound, Bytes target, Budget& budget,
                        const SearchFeatures& features);

}  // namespace tarn::schedule
