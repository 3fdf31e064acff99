// One plan for every size of a run-time dimension.
#pragma once
#include <vector>

#include "compile.h"

namespace tarn {

// Do tensors lie in the same buffers at every size? E206 for one that does not. `sizes`: not planned yet, the largest
// last.
Diagnostics check_storages(const std::vector<Analysis>& sizes, const CompileOptions& options);

// Gives each size the schedule and offsets of the plan, which is validated against that size's own problem.
void take_plan(const Analysis& planned, std::vector<Analysis>& sizes);

}  // namespace tarn
