// `analyze --pareto`: RAM against time over the ways in which the model can run.
#pragma once
#include <vector>

#include "compile.h"
#include "report/report.h"

namespace tarn::report {

// By layers, and by lines with inputs resident or fed, outputs drained, layers joined or not, rings or tables, with
// either of them work done twice, and arenas between those with joined layers and without. In the order of RAM; of rows
// with the same figures the first that was tried. Compared are the arena, and with a target whose kernels are modelled
// the instructions of a run and the bytes of flash, else multiplications; rows that another one beats in one figure
// without losing in the others are marked.
std::vector<ParetoRow> pareto(const Analysis& analysis);

// Marks them, and brings the rows in order.
void mark_dominated(std::vector<ParetoRow>& rows);

}  // namespace tarn::report
