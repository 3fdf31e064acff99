// Plans one model for several values of its symbolic dimensions.
#pragma once
#include "cli/options.h"
#include "report/report.h"

namespace tarn::cli {

// Plans the model anew for every value of the swept dimensions (--dim batch=1,2,4), all combinations of several.
// A combination that the model does not take has a row without figures.
std::vector<report::SweepRow> sweep(const Options& options);

}  // namespace tarn::cli
