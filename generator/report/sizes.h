// What a run-time dimension does to the figures of a report.
#pragma once
#include <optional>

#include "report/report.h"

namespace tarn::report {

// Shapes, bytes and multiplications as formulas of one dimension, or of several; nothing where all sizes are fixed.
std::optional<Symbolic> sizes_of(const Analysis& analysis);
std::optional<Grid> grid_of(const Analysis& analysis);

}  // namespace tarn::report
