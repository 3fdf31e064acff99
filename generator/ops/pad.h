// What Pad and CenterCropPad share.
#pragma once
#include <vector>

#include "ops/lowering.h"

namespace tarn::ops {

enum class PadMode : int64_t { constant, edge, reflect, wrap };  // the numbers that the kernel knows them by

// Positions added (negative: taken away) at both ends of every axis.
struct Padding {
  std::vector<int64_t> begin, end;
};

// Writes the call that makes a node's output of its input, which keeps its axes. `value`: one element; none for zero.
void lower_padding(const Node& node, Lowering& low, const Padding& padding, PadMode mode, Argument value);

// The fault of a node whose elements cannot be padded, or not with what it names.
std::optional<Fault> refuse_padding(const Node& node, const Lowering& low);

}  // namespace tarn::ops
