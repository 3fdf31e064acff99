// One firmware by lines for every height of a range: the plan of the largest, which the others follow.
#pragma once
#include "compile.h"

namespace tarn {

// What a range of heights does not go with, of a way of running by lines; empty: all is well.
std::string height_obstacle(const CompileOptions& options);

// Adds the plans by lines to an analysis whose sizes are planned by layers. Each is checked on its own. Faults: E311;
// E206 for a height that cannot follow.
Result<Done> plan_line_sizes(Analysis& analysis);

}  // namespace tarn
