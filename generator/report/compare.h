// `analyze --compare`: what each strategy, order and kind of sharing is worth, each planned and validated.
#pragma once
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::report {

std::vector<CompareRow> compare_variants(const Analysis& analysis);

}  // namespace tarn::report
