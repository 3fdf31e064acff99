#include "schedule/section_search.h"

#include "schedule/beam.h"
#include "schedule/canonical_order.h"
#include "schedule/exhaust.h"
#include "schedule/regions.h"
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

// The same for a graph of any width. `best.operators` is empty until an order below `best.peak` is found.
void search_graph(const OrderGraph& graph, Bytes target, const SectionLimits& limits, const SearchFeatures& features,
                  SectionOrder& best) {
  const std::vector<int> listed = listed_order(graph);
  const OrderCosts costs = costs_of(graph, listed);
  if (costs.peak < best.peak) take(graph, listed, best);
  if (features.cut_bound) {
    int64_t work = limits.cut_work;
    best.lower_bound = std::max(best.lower_bound, cut_bound(graph, listed, costs, best.peak, work));
    TARN_CHECK(best.lower_bound <= best.peak);
  }
  const int count = graph.count();
  if (features.condense && count <= 64) {
    std::optional<std::vector<Block>> blocks = canonical_order(graph, listed, 4000);
    if (blocks) {
      std::vector<int> order;
      for (const Block& block : *blocks) order.insert(order.end(), block.operators.begin(), block.operators.end());
      const Bytes peak = costs_of(graph, order).peak;
      best.lower_bound = std::min(peak, best.peak);
      if (peak < best.peak) take(graph, order, best);
      return;
    }
  }
  if (best.peak <= std::max(target, best.lower_bound)) {
  } else if (count <= 64) {
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
  SectionOrder found{{}, best.peak, best.lower_bound, 0};
  if (!features.condense) {
    search_graph(graph, target, limits, features, found);
    if (found.operators.empty()) found.operators = best.operators;
    return found;
  }
  const Condensed condensed = condense(graph);
  search_graph(condensed.graph, target, limits, features, found);
  if (found.operators.empty()) {
    found.operators = best.operators;
    return found;
  }
  std::vector<int> all;
  for (int v : found.operators) {
    const std::vector<int>& members = condensed.members[static_cast<size_t>(v)];
    all.insert(all.end(), members.begin(), members.end());
  }
  found.operators = std::move(all);
  return found;
}

}  // namespace tarn::schedule
