// Plans one model at every size of a dimension and finds the formulas of its figures.
#pragma once
#include "cli/options.h"
#include "report/report.h"

namespace tarn::cli {

// Plans the model by layers at each point of options.range. A point that the model does not take is a fault: no
// formula holds there.
Result<report::Symbolic> formulas_over(const Options& options);

}  // namespace tarn::cli
