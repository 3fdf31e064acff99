// How fused integer layers become calls: whole vectors, patches, and channels of their own.
#pragma once
#include <vector>

#include "ops/int_window.h"

namespace tarn::ops {

// One vector times all weights; `order`: where element k of it stands in a row of them.
void lower_vector(const Node& node, Lowering& low, int64_t inputs, int64_t outputs, const std::vector<int64_t>& order);

// Patches times weights. `line`: the layer as lines of pixels, where `g` is one long line.
void lower_patches(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk);

// One input and one output in each group.
void lower_int_depthwise(const Node& node, Lowering& low, const IntWindow& g);

}  // namespace tarn::ops
