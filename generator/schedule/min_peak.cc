#include "schedule/min_peak.h"

#include <algorithm>

#include "schedule/solve.h"
#include "schedule/tuning.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

Budget budget_of(int effort) {
  const size_t level = static_cast<size_t>(std::clamp(effort, 0, 3));
  return {kSearchWords[level], kBoundWords[level]};
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
