// Folding operators that only move elements: constants in, constants out, splats stay splats and absent data stays
// absent.
#pragma once
#include <optional>
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

// Folding makes whole tensors; past so many elements it would cost more memory than it saves time.
constexpr int64_t kMaxFoldedElements = int64_t{1} << 22;

// The elements of `in` at offset + sum(at[axis] * strides[axis]), for `at` over the shape of `out`, row-major.
std::optional<Constant> pick_strided(const Constant& in, const TensorType& out, const std::vector<int64_t>& strides,
                                     int64_t offset = 0);
// The elements of `in` at the given indices.
std::optional<Constant> pick(const Constant& in, const TensorType& out, const std::vector<int64_t>& indices);
// All inputs are known (values may be absent). `any_absent` tells whether one of them is.
bool all_known(const Facts& facts);
bool any_absent(const Facts& facts);
// One absent constant per output, naming the first absent input's source.
Constants absent_like(const Facts& facts, const Types& outputs);

}  // namespace tarn::ops
