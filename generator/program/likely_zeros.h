// A guess, for TIME, of how many of a tensor's values will be zeros: what is computed in software with zeros takes less
// time. It reads the program alone. (report/zeros.h counts those of stored weights.)
#pragma once
#include "program/program.h"

namespace tarn::program {

struct LikelyZeros {
  int64_t usual = 0, most = 0;  // percent
};

// Behind a Relu, alone or as a layer's bound, half of them, and where they have only been moved, converted, scaled or
// rounded since; behind OneHot all but one of each vector. What comes from outside may be as sparse as a drawn digit.
// `reader`: the last write before it counts.
LikelyZeros likely_zeros(const Program& program, OperationId reader, TensorId tensor);

}  // namespace tarn::program
