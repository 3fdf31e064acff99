// Orders of axes, as a Transpose has them: axis i of its output is axis perm[i] of its input.
#pragma once
#include <vector>

#include "tensor/shape.h"

namespace tarn {

using Perm = std::vector<int>;

Perm channels_last(int rank);  // N, C, spatial... -> N, spatial..., C
Perm inverse(const Perm& perm);
Perm compose(const Perm& a, const Perm& b);  // first `a`, then `b`
bool is_identity(const Perm& perm);
Shape permuted(const Shape& shape, const Perm& perm);
// Every element stays where it stands: only axes of one element change places.
bool moves_nothing(const Shape& shape, const Perm& perm);

}  // namespace tarn
