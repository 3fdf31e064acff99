#include "schedule/min_peak.h"

#include <algorithm>

#include "schedule/at.h"
#include "schedule/section_search.h"
#include "schedule/sections.h"
#include "support/check.h"

namespace tarn::schedule {

Order min_peak(const OrderProblem& problem, const OrderLimits& limits) { return min_peak_with(problem, limits, {}); }

Order min_peak_with(const OrderProblem& problem, const OrderLimits& limits, const SearchFeatures& features) {
  const uint64_t states = limits.effort == 0 ? 20'000 : limits.effort == 1 ? 200'000 : 2'000'000;
  const OrderGraph graph = graph_of(problem);
  Order best;
  best.operators = listed_order(graph);
  const OrderCosts costs = costs_of(graph, best.operators);
  best.peak = best.lower_bound = costs.peak;
  if (graph.count() == 0) return best;
  const std::vector<int> ends = section_ends(graph, best.operators);
  struct Section { int first, end; Bytes peak; };
  std::vector<Section> sections;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    sections.push_back({ends[i], ends[i + 1], *std::max_element(costs.step.begin() + ends[i], costs.step.begin() + ends[i + 1])});
  }
  std::stable_sort(sections.begin(), sections.end(), [](const Section& a, const Section& b) { return a.peak > b.peak; });
  const std::vector<int> given = best.operators;
  StretchCutter cutter(graph, given);
  best.lower_bound = 0;
  best.peak = 0;
  for (const Section& s : sections) {
    if (s.peak <= best.lower_bound) { best.peak = std::max(best.peak, s.peak); continue; }
    if (s.end - s.first == 1) {
      best.peak = std::max(best.peak, s.peak);
      best.lower_bound = std::max(best.lower_bound, s.peak);
      continue;
    }
    const OrderGraph part = cutter.cut(s.first, s.end);
    const SectionOrder found = search_section(part, best.lower_bound, {states, int64_t{1} << 30, 64}, features);
    best.search_states += found.states;
    for (int i = 0; i < count_of(found.operators); ++i) at(best.operators, s.first + i) = at(given, s.first + at(found.operators, i));
    best.peak = std::max(best.peak, found.peak);
    best.lower_bound = std::max(best.lower_bound, found.lower_bound);
  }
  TARN_CHECK(costs_of(graph, best.operators).peak == best.peak);
  return best;
}

}  // namespace tarn::schedule
