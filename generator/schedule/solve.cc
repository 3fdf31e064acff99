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
  Bytes peak;
  StepBound bound;  // its step: an operator of the section
};

// What `bound` says of a section that begins at `first`, where it is more than what is known.
void raise_bound(Solution& best, const StepBound& bound, int first) {
  if (bound.bytes <= best.lower_bound) return;
  best.lower_bound = bound.bytes;
  best.bound_step = bound.step < 0 ? -1 : first + bound.step;
}

// Sections of the listed order, the one with the highest peak first.
std::vector<Section> sections_of(const OrderGraph& graph, const OrderCosts& costs, bool cut) {
  const std::vector<int> ends = cut ? section_ends(graph, listed_order(graph)) : std::vector<int>{0, graph.count()};
  std::vector<Section> sections;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    const Bytes peak = *std::max_element(costs.step.begin() + ends[i], costs.step.begin() + ends[i + 1]);
    const bool single = ends[i + 1] - ends[i] == 1;
    sections.push_back({ends[i], ends[i + 1], peak, single ? StepBound{peak, 0} : StepBound{}});
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
  std::vector<Section> sections = sections_of(graph, costs, features.sections);
  best.use.sections = sections.size() - 1;
  WindowCutter cutter(graph, listed);
  for (const Section& s : sections) raise_bound(best, s.bound, s.first);  // settles those of one operator
  int64_t arcs = budget.arcs / 4;
  budget.arcs -= arcs;
  for (Section& s : sections) {  // cheap bounds of all first: they say what is good enough for each
    if (s.peak <= std::max(target, best.lower_bound) || !features.cut_bound) break;
    const OrderGraph part = cutter.cut(s.first, s.end);
    s.bound = cut_bound(part, listed_order(part), costs_of(part, listed_order(part)), s.peak, arcs);
    best.use.step_bounds += s.bound.step >= 0;
    raise_bound(best, s.bound, s.first);
  }
  budget.arcs += arcs;
  for (Section& s : sections) {
    const Bytes enough = std::max(target, best.lower_bound);
    if (s.peak <= enough) break;
    const OrderGraph part = cutter.cut(s.first, s.end);
    const Solution found = search_section(part, s.bound.bytes, enough, budget, features);
    for (int i = 0; i < part.count(); ++i) {
      at(best.operators, s.first + i) = at(listed, s.first + at(found.operators, i));
    }
    s.peak = found.peak;
    best.states += found.states;
    best.use.add(found.use);
    raise_bound(best, {found.lower_bound, -1}, s.first);
  }
  best.peak = costs_of(graph, best.operators).peak;
  return best;
}

}  // namespace tarn::schedule
