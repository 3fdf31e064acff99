// A guess, for TIME, of how many of a tensor's values will be zeros: what is computed in software with zeros takes less
// time. It reads the program alone. (report/zeros.h counts those of stored weights.)
#pragma once
#include "program/program.h"

namespace tarn::program {

struct LikelyZeros {
  int64_t usual = 0, most = 0;  // percent
};

// Behind a Relu, alone, as a layer's bound, as a Clip or as codes that begin at zero, half of them or as many as
// the layer's weights make likely (Tensor::likely), and where they have only been moved, converted, scaled or rounded
// since; behind OneHot all but one of each vector; products are zeros where either factor is. Those of constants are
// counted. What comes from outside may be as sparse as a drawn digit. `reader`: the last write before it counts.
LikelyZeros likely_zeros(const Program& program, OperationId reader, TensorId tensor);

// Of the floats of a constant; nothing of others, and of very many, which are not worth the look.
std::optional<int64_t> count_zeros(const Weight& weight);
// In percent; 0 where nothing is known.
int64_t zeros_among(const Weight& weight);

}  // namespace tarn::program
