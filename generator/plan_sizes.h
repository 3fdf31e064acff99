// Plans for all sizes of a run-time dimension. Consecutive sizes whose networks make the same calls are a span: one
// program with other numbers, one schedule, one set of offsets.
#pragma once
#include <vector>

#include "compile.h"
#include "plan_layers.h"

namespace tarn {

// Positions in a list of sizes, both ends included.
struct SizeSpan {
  size_t first = 0, last = 0;
};

// The spans from the least size on. `sizes`: the network at each size of options.run_time, not planned yet. E206 where
// more than four would be needed, for what differs first, and for what even one span cannot hold. The constants of a
// span are then those of its largest size.
Result<std::vector<SizeSpan>> find_spans(std::vector<Analysis>& sizes, const CompileOptions& options);

// Plans a span and gives each of its sizes the schedule and the offsets, validated against that size's own problem; its
// run_time is then the span. The plan is returned.
Planned plan_span(const CompileOptions& options, const SizeSpan& span, std::vector<Analysis>& sizes);

}  // namespace tarn
