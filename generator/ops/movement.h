// Operators that move elements without changing them share two kernels: a copy of runs, and a strided copy.
#pragma once
#include <functional>

#include "ops/lowering.h"

namespace tarn::ops {

// y = x, bytes as they lie; `view`: the call can be left out when its tensors lie so.
void lower_copy(const Node& node, Lowering& low, ValueId x, ValueId y, std::optional<program::View> view);

// y[at] = x[offset + sum(at[axis] * strides[axis])], y dense with the given dims.
std::optional<Fault> lower_strided(const Node& node, Lowering& low, Argument x, Argument y, DType dtype,
                                   std::vector<int64_t> dims, std::vector<int64_t> strides, int64_t offset);

// Shape of y, strides and offset in x of a Slice, from its starts, ends, axes and steps (any opset).
struct SliceGeometry {
  Shape shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  std::vector<int64_t> starts, steps;  // per axis of x
};
std::optional<SliceGeometry> slice_geometry(const Shape& x, const std::vector<int64_t>& starts,
                                            const std::vector<int64_t>& ends, const std::vector<int64_t>& axes,
                                            const std::vector<int64_t>& steps);

// Copies a part of a tensor along one axis, beginning at `start`, out of it or (`into`) into it. When the part lies in
// the whole as lines, pixels or channels that keep the whole's pitch, the call can be left out. E204 for elements
// smaller than a byte that do not stand in whole bytes.
std::optional<Fault> lower_part(const Node& node, Lowering& low, ValueId part, ValueId whole, int axis, int64_t start,
                                bool into);

// The integers of input `index`, or of the attribute that held them in older opsets; empty when neither is known.
std::optional<std::vector<int64_t>> integers_of(const Facts& facts, size_t index, const std::string& attribute);
std::optional<std::vector<int64_t>> integers_of(const Node& node, const Lowering& low, size_t index,
                                                const std::string& attribute);

// Does a Dropout drop anything, or may it? `value`: the constant of an input, null when it is known only at run time.
bool may_drop(const Node& node, const std::function<const Constant*(size_t)>& value);

std::vector<OperatorEntry> transpose_entries();
std::vector<OperatorEntry> concat_entries();  // Concat, Split
std::vector<OperatorEntry> slice_entries();
std::vector<OperatorEntry> expand_entries();   // Expand, Tile
std::vector<OperatorEntry> reshape_entries();  // Reshape, Flatten, Squeeze, Unsqueeze, Identity, Dropout
std::vector<OperatorEntry> meta_entries();     // Shape, Size, Constant, ConstantOfShape, Range

}  // namespace tarn::ops
