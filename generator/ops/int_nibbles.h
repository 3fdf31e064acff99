// Weights of fused integer layers that take 4 bits, as runtime/int8_dsp/tarn_int_dsp4_block.h lays them out.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// What stands in the names of kernels for weights so narrow: "2" where all weights, as they are stored, are from -2 to
// 1, "4" from -8 to 7; "" where they are not, or rows so long that a sum may overflow.
std::string narrow_weights(const Constant& w, int64_t length);
// The same; "" where they have zero points.
std::string narrow_weights(const Node& node, const Constant& w, int64_t length);

// The layer with zero points that bring the weights of each output into 2 or 4 bits, where without them they need more
// bits: asymmetric codes. Negative zero points are sums of two weights of so many bits. w: [outputs][length].
struct ShiftedWeights {
  Node node;
  Constant weights;
  int64_t most = 0;  // of the weights
};
std::optional<ShiftedWeights> shift_weights(const Node& node, const Constant& w, int64_t length);

// Pairs of a group's outputs, `pairs` of them side by side: [groups][ceil(outputs/2/pairs)][k/4][pairs] words of four
// elements k, the first in the lowest byte: 16 times the second output's weight, and the first one's + 8. `order`:
// where element k of a row stands in the model; rows are filled up to a multiple of `multiple`.
Argument pack_nibbles(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                      const std::vector<int64_t>& order, int64_t multiple, int64_t pairs);

// The same as runtime/int8_mve/tarn_int_mve4.h lays them out: [groups][ceil(outputs/4)][ceil(k/16)][2][16] bytes, the
// first output's weight in the high bits: outputs 0 and 1, 2 and 3; `pairs`: [2][ceil(k/16)][16] for four outputs,
// first 0 and 2, then 1 and 3.
Argument pack_nibble_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                              const std::vector<int64_t>& order, bool pairs);

}  // namespace tarn::ops
