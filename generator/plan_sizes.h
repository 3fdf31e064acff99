// Plans for all sizes of run-time dimensions. Sizes whose networks make the same calls are a span, where they are a
// box: one program with other numbers, one schedule, one set of offsets.
#pragma once
#include <optional>
#include <vector>

#include "compile.h"
#include "plan_layers.h"

namespace tarn {

// Part of the box of all sizes, and the positions of its points in the list of those; the last is the largest.
struct SizeSpan {
  SizeBox box;
  std::vector<size_t> sizes;
};

// The spans, that of the largest size last; of one dimension from the least size on. `sizes`: the network at each point
// of options.run_time, not planned yet. E206 where more than four would be needed, of several dimensions nine, for what
// differs first, and for what even one span cannot hold. The constants of a span are then those of its largest size.
Result<std::vector<SizeSpan>> find_spans(std::vector<Analysis>& sizes, const CompileOptions& options);

struct SpanPlan {
  Planned planned;                 // at the largest size; the arena is that of all
  std::optional<int64_t> one_set;  // offsets follow the size: what one set of them takes
};

// Plans a span and gives each of its sizes the schedule and the offsets, validated against that size's own problem; its
// run_time is then the span.
SpanPlan plan_span(const CompileOptions& options, const SizeSpan& span, std::vector<Analysis>& sizes);

}  // namespace tarn
