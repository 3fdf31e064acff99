// Weights of fully connected integer layers two to a half of a word, as runtime/int8_dsp/tarn_int_dsp_halves.h lays
// them out.
#pragma once
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// Whether all weights of two outputs fit in a half of a word, and each second output's sums in the bits that are left
// of a sum of halves. w: [outputs][length].
bool fits_halves(const Constant& w, int64_t outputs);

// [ceil(outputs/4)][k/4][2 pairs of outputs][0, 2, 1, 3 of k] halves: 256 times the second output's weight, and the
// first one's. `order`: where element k of a row stands in the model, a multiple of 4.
Argument pack_halves(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                     const std::vector<int64_t>& order);

}  // namespace tarn::ops
