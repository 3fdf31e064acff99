// NAME_trace.c and .h: a run that tells every tensor as text, for `tarn compare`.
#pragma once
#include <vector>

#include "compile.h"
#include "emit/files.h"
#include "report/report.h"

namespace tarn::emit {

// Of a plan by layers, whose report has the id that emit::plan_id() gives.
std::vector<OutputFile> trace_files(const Analysis& analysis, const report::Report& report);

}  // namespace tarn::emit
