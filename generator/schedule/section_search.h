// The least peak of one section of a graph.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/order_graph.h"
#include "schedule/terrain.h"

namespace tarn::schedule {

struct SectionLimits {
  uint64_t states = 0;  // of the complete search
  int64_t cut_work = 0; // arcs looked at
  int beam = 64;        // widest beam
};

struct SectionOrder {
  std::vector<int> operators;
  Bytes peak = 0, lower_bound = 0;
  uint64_t states = 0;
};

// Starts from the order in which the operators are listed; never worse. A peak of `target` or less is good enough.
SectionOrder search_section(const OrderGraph& graph, Bytes target, const SectionLimits& limits,
                            const SearchFeatures& features);

}  // namespace tarn::schedule
