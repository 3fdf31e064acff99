// Weights of fused integer layers that take 2 bits, as runtime/int8_dsp/tarn_int_dsp2_block.h lays them out.
#pragma once
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// Pairs of a group's outputs: [groups][ceil(outputs/2)][ceil(k/8)] words; byte i has elements i, in the low bits, and i
// + 4, each as 4 * (second output's + 2) + (first one's + 2). `order` as for pack_nibbles().
Argument pack_quarter_pairs(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                            const std::vector<int64_t>& order);

// Four outputs of an element in a byte, the first in the lowest bits, all but the last 2 higher:
// [ceil(outputs/4)][ceil(k/4)] words.
Argument pack_quarter_fours(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                            const std::vector<int64_t>& order);

// The same as runtime/int8_mve/tarn_int_mve2.h lays them out: [groups][ceil(outputs/4)][ceil(k/16)][16] bytes, from
// the high bits down outputs 0, 2, 1, 3; all but the first 2 higher where not in `pairs`.
Argument pack_quarter_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups,
                               int64_t outputs, const std::vector<int64_t>& order, bool pairs);

}  // namespace tarn::ops
