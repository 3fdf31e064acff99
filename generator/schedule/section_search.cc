#include "schedule/section_search.h"

#include "schedule/beam.h"
#include "schedule/exhaust.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

void take(const OrderGraph& graph, std::vector<int> order, SectionOrder& best) {
  const Bytes peak = costs_of(graph, order).peak;
  TARN_CHECK(peak < best.peak && peak >= best.lower_bound);
  best.peak = peak;
  best.operators = std::move(order);
}

template <int W>
void search_width(const OrderGraph& graph, Bytes target, const SectionLimits& limits, const SearchFeatures& features,
                  SectionOrder& best) {
  const Terrain<W> terrain(graph, features);
  for (int width = 1; features.beam && width <= limits.beam; width *= 8) {
    while (best.peak > std::max(target, best.lower_bound)) {
      std::vector<int> order = beam_search(terrain, best.peak - 1, width);
      if (order.empty()) break;
      take(graph, std::move(order), best);
    }
  }
  Exhaust<W> exhaust(graph, terrain, features);
  uint64_t states = limits.states;
  while (best.peak > std::max(target, best.lower_bound)) {
    std::vector<int> order;
    Bytes next_top = 0;
    const Verdict verdict = exhaust.search(best.peak - 1, states, order, next_top);
    if (verdict == Verdict::found) take(graph, std::move(order), best);
    if (verdict == Verdict::none) best.lower_bound = best.peak;
    if (verdict == Verdict::gave_up) break;
  }
  best.states += limits.states - states;
}

}  // namespace

SectionOrder search_section(const OrderGraph& graph, Bytes target, const SectionLimits& limits,
                            const SearchFeatures& features) {
  SectionOrder best;
  best.operators = listed_order(graph);
  const OrderCosts costs = costs_of(graph, best.operators);
  best.peak = costs.peak;
  best.lower_bound = costs.live.front();
  if (features.cut_bound) {
    int64_t work = limits.cut_work;
    best.lower_bound = cut_bound(graph, best.operators, costs, best.peak, work);
    TARN_CHECK(best.lower_bound <= best.peak);
  }
  if (best.peak <= std::max(target, best.lower_bound)) return best;
  const int count = graph.count();
  if (count <= 64) {
    search_width<1>(graph, target, limits, features, best);
  } else if (count <= 128) {
    search_width<2>(graph, target, limits, features, best);
  } else if (count <= 256) {
    search_width<4>(graph, target, limits, features, best);
  } else if (count <= 512) {
    search_width<8>(graph, target, limits, features, best);
  } else if (count <= 1024) {
    search_width<16>(graph, target, limits, features, best);
  }
  return best;
}

}  // namespace tarn::schedule
