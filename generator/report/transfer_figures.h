// --weights stream: what a run reads, and how long it waits for that.
#pragma once
#include "compile.h"
#include "report/report.h"

namespace tarn::report {

// Nothing where weights are not read. A step waits for as long as its weights take longer than the step before, which
// begins to read them, takes to run at report.clock; a step that reads its own waits for all of it.
std::optional<TransferFigures> transfer_figures(const Analysis& analysis, const Report& report);

}  // namespace tarn::report
