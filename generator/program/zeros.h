// How many of a tensor's values probably are zeros, as far as the network tells: what is computed in software with
// zeros takes less time.
#pragma once
#include "program/program.h"

namespace tarn::program {

struct Zeros {
  int64_t usual = 0, most = 0;  // percent
};

// Behind a Relu, alone or as a layer's bound, half of them, and where they have only been moved since. What comes from
// outside may be as sparse as a drawn digit. `reader`: the last write before it counts.
Zeros zeros_of(const Program& program, OperationId reader, TensorId tensor);

}  // namespace tarn::program
