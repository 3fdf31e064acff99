// Walks of kernels that make each output element from a few positions along every axis of one operand.
#pragma once
#include <optional>
#include <vector>

#include "ops/lowering.h"

namespace tarn::ops {

// `spans[axis][i]`: the positions of the operand's axis that position i of the output's axis needs; an empty list
// stands for the same position. Shapes have the same rank and the geometry that tensors have by default: the last axis
// is the channels, the one before it the pixels. The kernel makes its output upwards and reads what an output pixel
// needs until that pixel is complete. Nothing when the tables would be absurdly long: has_walk() tells that before
// `spans` is made.
bool has_walk(const Shape& y);
std::optional<program::Walk> axes_walk(const Shape& x, const Shape& y,
                                       const std::vector<std::vector<program::Span>>& spans);

}  // namespace tarn::ops
