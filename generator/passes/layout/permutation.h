// What orders of axes do to constants and reshapes.
#pragma once
#include <optional>

#include "tensor/constant.h"
#include "tensor/permutation.h"

namespace tarn::passes {

// The constant, seen as `shape`, with its axes permuted; nothing where its values are absent.
std::optional<Constant> permuted(const Constant& constant, const Shape& shape, const Perm& perm);

struct ReshapeOrder {
  Perm gather;  // of the source: brings the axes together that the reshape joins
  Perm after;   // of what the reshape then makes
};

// How a reshape to `result` of a `source` transposed by `perm` works on the source itself; nothing where it tears axes
// apart.
std::optional<ReshapeOrder> reshape_order(const Shape& source, const Perm& perm, const Shape& result);

}  // namespace tarn::passes
