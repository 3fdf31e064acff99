#include "schedule/solve.h"

#include <algorithm>

#include "schedule/at.h"
#include "schedule/least_live.h"
#include "schedule/section_search.h"
#include "schedule/sections.h"

namespace tarn::schedule {

namespace {

struct Section {
  int first, end;
  Bytes peak, lower_bound;
};

// Sections of the listed order, the one with the highest peak first.
std::vector<Section> sections_of(const OrderGraph& graph, const OrderCosts& costs) {
  const std::vector<int> ends = section_ends(graph, listed_order(graph));
  std::vector<Section> sections;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    const Bytes peak = *std::max_element(costs.step.begin() + ends[i], costs.step.begin() + ends[i + 1]);
    sections.push_back({ends[i], ends[i + 1], peak, ends[i + 1] - ends[i] == 1 ? peak : 0});
  }
  std::stable_sort(sections.begin(), sections.end(),
                   [](const Section& a, const Section& b) { return a.peak > b.peak; });
  return sections;
}

}  // namespace

Solution solve(const OrderGraph& graph, Bytes target, Budget& budget, const SearchFeatures& features) {
  const std::vector<int> listed = listed_order(graph);
  const OrderCosts costs = costs_of(graph, listed);
  Solution best{listed, costs.peak, costs.live.front(), 0};
  if (graph.count() == 0) return best;
  std::vector<Section> sections = sections_of(graph, costs);
  WindowCutter cutter(graph, listed);
  for (const Section& s : sections) best.lower_bound = std::max(best.lower_bound, s.lower_bound);
  int64_t arcs = budget.arcs / 4;
  budget.arcs -= arcs;
  for (Section& s : sections) {  // cheap bounds of all first: they say what is good enough for each
    if (s.peak <= std::max(target, best.lower_bound) || !features.cut_bound) break;
    if (s.end - s.first == 1) continue;
    const OrderGraph part = cutter.cut(s.first, s.end);
    s.lower_bound = cut_bound(part, listed_order(part), costs_of(part, listed_order(part)), s.peak, arcs);
    best.lower_bound = std::max(best.lower_bound, s.lower_bound);
  }
  budget.arcs += arcs;
  for (Section& s : sections) {
    const Bytes enough = std::max(target, best.lower_bound);
    if (s.peak <= enough) break;
    if (s.end - s.first == 1) continue;
    const OrderGraph part = cutter.cut(s.first, s.end);
    const Solution found = search_section(part, s.lower_bound, enough, budget, features);
    for (int i = 0; i < part.count(); ++i) {
      at(best.operators, s.first + i) = at(listed, s.first + at(found.operators, i));
    }
    s.peak = found.peak;
    best.states += found.states;
    best.lower_bound = std::max(best.lower_bound, found.lower_bound);
  }
  best.peak = costs_of(graph, best.operators).peak;
  return best;
}

}  // namespace tarn::schedule
