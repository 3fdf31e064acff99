// min_peak with parts of the search switched off, for tests and measurements.
#pragma once
#include "schedule/order_problem.h"
#include "schedule/search_features.h"

namespace tarn::schedule {

// With `use`, tells what decided.
Order min_peak_with(const OrderProblem& problem, const OrderLimits& limits, const SearchFeatures& features,
                    SearchUse* use = nullptr);

}  // namespace tarn::schedule
