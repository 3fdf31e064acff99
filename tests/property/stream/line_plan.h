// From a program to its plan by lines in one call, with steps of one line.
#pragma once
#include <vector>

#include "stream/make_plan.h"

namespace tarn::stream {

// The smallest plan found over all of `layers`.
inline LinePlan make_plan(const Program& program, const std::vector<Layers>& layers, const Options& options,
                          const SearchLimits& limits) {
  return plan_of(finish(choose(program, layers, options, limits), limits), options, limits);
}

}  // namespace tarn::stream
