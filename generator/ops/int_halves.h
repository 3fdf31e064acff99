// Weights of fused integer layers two to a half of a word, as runtime/int8_dsp/tarn_int_dsp_halves.h and
// tarn_int_dsp_halves_block.h lay them out.
#pragma once
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// Whether all weights of two outputs fit in a half of a word, and each second output's sums in the bits that are left
// of a sum of halves. w: [groups * outputs][length]; pairs are within a group.
bool fits_halves(const Constant& w, int64_t groups, int64_t outputs);

// [groups][ceil(outputs/2/pairs)][k/4][pairs][0, 2, 1, 3 of k] halves: 256 times the second output's weight, and the
// first one's. `order`: where element k of a row stands in the model; rows are filled up to a multiple of `multiple`.
Argument pack_halves(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                     const std::vector<int64_t>& order, int64_t multiple, int64_t pairs);

}  // namespace tarn::ops
