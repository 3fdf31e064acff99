// Offsets that follow the sizes of run-time dimensions (--dim-offsets), in place of one set for all.
#pragma once
#include <optional>
#include <vector>

#include "plan_layers.h"
#include "plan_sizes.h"

namespace tarn {

struct MovedOffsets {
  Planned planned;                   // of the largest size; the arena is that of all
  std::vector<planner::Plan> sizes;  // of each of the span, the largest last
};

// One order of steps and buffers for all sizes of the span: that of the best plan for the largest size alone. At each
// size buffers lie as low as they may in that order, with what may share memory at that very size; so where sizes of
// tensors are linear, offsets are sums of such. What is kept from run to run, and what the caller or emitted code
// finds without asking for the size, stays in one place. Each size is validated. Nothing where the arena is not below
// `one_set`, what one set of offsets takes.
std::optional<MovedOffsets> move_offsets(const CompileOptions& options, const SizeSpan& span,
                                         const std::vector<Analysis>& sizes, int64_t one_set);

}  // namespace tarn
