// From options to a planned model with all that is told of it: what `analyze` and `generate` have in common.
#pragma once
#include "cli/options.h"
#include "compile.h"
#include "report/report.h"
#include "support/memory_limit.h"

namespace tarn::cli {

// A planned model with all that is told of it. `over` holds the budgets that it exceeds.
struct Prepared {
  Analysis analysis;
  report::Report report;
  Diagnostics over;
};

// Plans the model, measures its code, compares it with the budgets and adds what the options ask for. Prints warnings.
Result<Prepared> prepare(const Options& options);
// A model that leaves one dimension open is analysed over sizes of it; with several, the fault names them all.
Result<Prepared> prepare_over_sizes(Options& options);

// What the process is at once the model is planned, for the message of an end by lack of memory.
Work reporting(const Analysis& analysis);

}  // namespace tarn::cli
