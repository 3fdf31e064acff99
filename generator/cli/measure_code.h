// The emitted code's size and its stack, by compiling it.
#pragma once
#include "cli/options.h"
#include "report/report.h"

namespace tarn::cli {

// Whether figures of the emitted code can be had, and are worth a compiler's time.
bool wants_code(const Options& options, const Analysis& analysis);

// Compiles the emitted code, in one file where it is emitted in one, weights apart, for its size and its stack's bound;
// sets them in the report. A compiler that nobody asked for and that does not work leaves them out.
Result<Done> measure_code(const Options& options, const Analysis& analysis, report::Report& report);

}  // namespace tarn::cli
