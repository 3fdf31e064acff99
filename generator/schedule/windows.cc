#include "schedule/windows.h"

#include <algorithm>

#include "schedule/at.h"
#include "schedule/sections.h"
#include "schedule/tuning.h"

namespace tarn::schedule {

namespace {

int64_t most_work(int width) { return kWindowWork * int64_t{width} * width; }  // for one window, words or arcs

// Solves one window; true when its peak has become smaller than `below`.
bool improve_window(const OrderGraph& graph, std::vector<int>& order, int first, int end, Bytes below, Bytes target,
                    Budget& budget, const SearchFeatures& features) {
  WindowCutter cutter(graph, order);
  const OrderGraph part = cutter.cut(first, end);
  const int64_t most = most_work(part.count());
  Budget own{std::min(most, budget.words), std::min(most, budget.arcs)};
  const Budget given = own;
  SearchFeatures inner = features;
  inner.windows = inner.implied_order = false;
  const Solution found = solve(part, target, own, inner);
  budget.words -= given.words - own.words;
  budget.arcs -= given.arcs - own.arcs;
  if (found.peak >= below) return false;
  std::vector<int> window;
  for (int v : found.operators) window.push_back(at(order, first + v));
  std::copy(window.begin(), window.end(), order.begin() + first);
  return true;
}

}  // namespace

bool improve_windows(const OrderGraph& graph, std::vector<int>& order, Bytes target, Budget& budget,
                     const SearchFeatures& features) {
  const int count = graph.count();
  OrderCosts costs = costs_of(graph, order);
  const Bytes before = costs.peak;
  const int64_t least_words = budget.words / 2, least_arcs = budget.arcs / 2;
  while (costs.peak > target && budget.words > least_words && budget.arcs > least_arcs) {
    const int peak_step = static_cast<int>(std::max_element(costs.step.begin(), costs.step.end()) - costs.step.begin());
    bool improved = false;
    for (int width : kWindowWidths) {
      for (int shift : {width / 2, width / 4, 3 * width / 4}) {
        const int first = std::max(0, std::min(peak_step - shift, count - width)), end = std::min(count, first + width);
        if (end - first == count && width != kWindowWidths[0]) continue;
        improved = improve_window(graph, order, first, end, costs.peak, target, budget, features);
        if (improved) break;
      }
      if (improved) break;
    }
    if (!improved) break;
    costs = costs_of(graph, order);
  }
  return costs.peak < before;
}

}  // namespace tarn::schedule
