// Numbers to run a model on that has no stored data: the same ones every time.
#pragma once
#include "tensor/constant.h"

namespace tarn::cli {

// Floats in [-1, 1), integers from 0 to 3, so that they serve as positions too.
Constant made_up(const TensorType& type, uint64_t seed);

}  // namespace tarn::cli
