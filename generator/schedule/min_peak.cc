#include "schedule/min_peak.h"

#include <algorithm>

#include "schedule/solve.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

Budget budget_of(int effort) {
  static constexpr Budget kBudgets[] = {{40'000'000, 40'000'000},
                                        {800'000'000, 300'000'000},
                                        {8'000'000'000, 3'000'000'000},
                                        {80'000'000'000, 30'000'000'000}};
  return kBudgets[std::clamp(effort, 0, 3)];
}

}  // namespace

Order min_peak(const OrderProblem& problem, const OrderLimits& limits) { return min_peak_with(problem, limits, {}); }

Order min_peak_with(const OrderProblem& problem, const OrderLimits& limits, const SearchFeatures& features,
                    SearchUse* use) {
  const OrderGraph graph = graph_of(problem);
  Budget budget = budget_of(limits.effort);
  Solution found = solve(graph, 0, budget, features);
  TARN_CHECK(found.lower_bound <= found.peak);
  TARN_CHECK(found.peak <= costs_of(graph, listed_order(graph)).peak);
  if (use) use->add(found.use);
  return {std::move(found.operators), found.peak, found.lower_bound, found.states, found.bound_step};
}

}  // namespace tarn::schedule
