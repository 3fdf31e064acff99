// Plans one model at every size of a dimension and finds the formulas of its figures.
#pragma once
#include <functional>
#include <optional>

#include "cli/options.h"
#include "report/report.h"

namespace tarn::cli {

// Plans the model by layers at each point of options.range. A point that the model does not take is a fault: no
// formula holds there.
Result<report::Symbolic> formulas_over(const Options& options);

// With a range for the only dimension that nothing binds: the first eight sizes that the model takes, counted from a
// power of two; the report is that of the first. Nothing where none or several are open, or where it takes no such
// size.
std::optional<Options> over_open_dimension(const Options& options);

// With --stream time nothing ends, so that the only dimension that nothing binds may stay open where lines are the same
// at several of its sizes: it is planned with one of these, and a warning tells which (W206).
void bind_endless(Options& options);

// The sizes around the largest one that `fits`, found by doubling and halving: whether it fits is taken to change once,
// and the range is what is then planned to see.
Options::Range range_near_largest(const Options::Range& first, const std::function<bool(int64_t)>& fits);

}  // namespace tarn::cli
