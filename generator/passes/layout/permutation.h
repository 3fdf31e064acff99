// Orders of axes, and what they do to shapes, constants and reshapes.
#pragma once
#include <optional>
#include <vector>

#include "tensor/constant.h"
#include "tensor/shape.h"

namespace tarn::passes {

using Perm = std::vector<int>;  // of a Transpose: axis i of its output is axis perm[i] of its input

Perm channels_last(int rank);  // N, C, spatial... -> N, spatial..., C
Perm inverse(const Perm& perm);
Perm compose(const Perm& a, const Perm& b);  // first `a`, then `b`
bool is_identity(const Perm& perm);
bool moves_nothing(const Shape& shape, const Perm& perm);  // but axes of one element

Shape permuted(const Shape& shape, const Perm& perm);
// The constant, seen as `shape`, with its axes permuted; nothing where its values are absent.
std::optional<Constant> permuted(const Constant& constant, const Shape& shape, const Perm& perm);

struct ReshapeOrder {
  Perm gather;  // of the source: brings the axes together that the reshape joins
  Perm after;   // of what the reshape then makes
};

// How a reshape to `result` of a `source` transposed by `perm` works on the source itself; nothing where it tears axes apart.
std::optional<ReshapeOrder> reshape_order(const Shape& source, const Perm& perm, const Shape& result);

}  // namespace tarn::passes
