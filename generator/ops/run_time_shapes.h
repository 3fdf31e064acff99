// Shapes, axes and scales that are known only at run time: sizes are what the model declares, and these calls check in
// every run that the values lead there. An operand that is known while generating, or follows from run-time sizes,
// needs no check.
#pragma once
#include "ops/lowering.h"

namespace tarn::ops {

// Input `index` decides sizes and has no value yet.
bool decides_at_run_time(const Node& node, const Lowering& low, size_t index);

// Input 1 is the shape of a Reshape, or of an Expand.
void check_shape(const Node& node, Lowering& low, bool expand, bool zero_copies);
// Input 1 are the axes that make y of x; `keep`: they stay, of one element. `ones`: they must be of one element.
struct AxesRule {
  bool keep = false, ones = false, none_means_all = false;
};
void check_axes(const Node& node, Lowering& low, const Shape& x, const Shape& y, const AxesRule& rule);
// Input `index` holds these numbers; -1: any.
void check_numbers(const Node& node, Lowering& low, size_t index, const std::vector<int64_t>& values);

}  // namespace tarn::ops
