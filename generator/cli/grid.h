// Formulas over several dimensions at a time.
#pragma once
#include <optional>

#include "cli/options.h"
#include "report/report.h"

namespace tarn::cli {

// Plans the model by layers at each point of options.grid. A point that the model does not take is a fault.
Result<report::Grid> grid_formulas(const Options& options);

// With a grid for the dimensions that nothing binds, of few sizes of each, from one that the model takes for all of
// them; the report is of these. Dimensions that it takes only together are one (Options::tied), one that it takes at no
// other size has that size. Nothing where fewer than two or too many are open, or where the model takes no such size.
std::optional<Options> over_open_dimensions(const Options& options);

}  // namespace tarn::cli
