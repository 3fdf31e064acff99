// How many of the weights are zero, one by one and in blocks that kernels could skip.
#pragma once
#include "report/report.h"

namespace tarn::report {

// Sets report.sparsity: a row for each constant of at least two axes that an operator reads, as the passes left it,
// seen as a matrix whose rows are its first axis; and their sum. Constants whose values are not there are left out.
void profile_sparsity(const Analysis& analysis, Report& report);

}  // namespace tarn::report
