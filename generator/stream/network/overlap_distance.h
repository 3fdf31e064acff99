// How far the line that an operation makes may reach into a line that it reads for the last time.
#pragma once
#include <optional>

#include "stream/plan.h"

namespace tarn::stream {

// The least distance L, not below 0, such that the made line may begin L bytes below the line read and no byte is
// written that is still to be read; from line to line of the memories in which the tensors lie. Absent: the operand's
// walk does not say. `flat`: lines of `elements` elements on both sides.
std::optional<int64_t> overlap_distance_of(const program::Program& program, const program::Operation& operation,
                                           size_t argument, TensorId result, const LineView& read, const LineView& made,
                                           bool flat, int64_t elements);

}  // namespace tarn::stream
