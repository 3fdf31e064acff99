// `analyze --pareto`: RAM against multiplications over the ways in which the model can run.
#pragma once
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::report {

// By layers, and by lines with inputs resident or fed, outputs drained, rings or tables, and work done twice. In the
// order of RAM; of rows with the same figures the first that was tried. Rows that another one beats in one figure
// without losing in the other are marked.
std::vector<ParetoRow> pareto(const Analysis& analysis);

}  // namespace tarn::report
