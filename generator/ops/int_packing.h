// Weights and constants of fused integer layers, in the order their kernels read them.
#pragma once
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// [groups][ceil(outputs/4)][ceil(k/4)][4 outputs][4 of k]; `order`: where element k of a row stands in the model.
// `flip`: 0x80 makes unsigned bytes, 128 higher; what fills up stays 0. `words`: as 32-bit words, for kernels that load several bytes at a time.
Argument pack_dots(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   const std::vector<int64_t>& order, int64_t multiple = 4, bool words = false, int64_t lanes = 4, uint8_t flip = 0);

// [ceil(channels/4)][taps, rounded up][4].
Argument pack_depthwise(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t taps,
                        int64_t multiple = 1, bool words = false);

// [channels][3 columns] words: the weights of three lines and the negative zero point.
Argument pack_columns3(Lowering& low, const std::string& key, const Constant& w, const Constant* zeros, int64_t channels);

// The zero points of the weights, four lanes a quad, or none; `add`: what the stored weights are higher by.
Argument weight_zeros(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t add = 0);

// Exceptions by packed channel: the unused lanes of a group's last quad have none.
Argument packed_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group);

// The layer's constants for inputs that are 128 higher.
Node for_unsigned(const Node& node, const Constant& w);

// Weights with zero points meet the sum of the inputs, which stands behind them in pieces of 16 bits, each of them twice: a
// zero point may need two weights.
struct SummedWeights {
  Constant weights;
  std::vector<int64_t> order;
  int64_t pieces = 0;
};
SummedWeights with_sums(const Node& node, const Constant& w, const std::vector<int64_t>& order);

}  // namespace tarn::ops
