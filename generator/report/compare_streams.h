// What the model would need if it ran another way: by layers, or by lines with the input resident or fed.
#pragma once
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::report {

std::vector<StreamRow> compare_streams(const Analysis& analysis);

}  // namespace tarn::report
