// Counts zeros among the weights.
#pragma once
#include "report/report.h"

namespace tarn::report {

// Counts the zeros among each step's weights, as emitted, into StepRow::zeros. Reads every weight once; steps whose
// weights are missing stay without a count.
void count_zeros(const Analysis& analysis, Report& report);

}  // namespace tarn::report
