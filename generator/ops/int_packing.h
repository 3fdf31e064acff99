// Weights and constants of fused integer layers, in the order their kernels read them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/integer.h"

namespace tarn::ops {

// [groups][ceil(outputs/4)][ceil(k/4)][4 outputs][4 of k]; `order`: where element k of a row stands in the model.
// `flip`: 0x80 makes unsigned bytes, 128 higher; what fills up stays 0. `words`: as 32-bit words, for kernels that load
// several bytes at a time.
Argument pack_dots(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   const std::vector<int64_t>& order, int64_t multiple = 4, bool words = false, int64_t lanes = 4,
                   uint8_t flip = 0);

// [groups][ceil(outputs/4)][ceil(k/16)][4 outputs][16 of k], zero beyond the last of either; `pairs`:
// [2][ceil(k/16)][2][16] for four outputs, first 0 and 2, then 1 and 3.
Argument pack_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                       const std::vector<int64_t>& order, bool pairs);

// Constants of four outputs at a time as quad_constants() has them, but with the begins in the order 0, 2, 1, 3; lanes
// without an output never need a closer look.
Argument sixteens_constants(const Node& node, Lowering& low, int64_t groups, int64_t per_group);

// [ceil(channels/4)][taps, rounded up][4]. `late`: fewer than four at the end take the last places.
Argument pack_depthwise(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t taps,
                        int64_t multiple = 1, bool words = false, bool late = false);

// Sixteen channels at a time; the last sixteen end with the last channel. Weights as [sixteens][weights of a
// channel][16].
Argument pack_channels(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t length);
// Their constants, {begin, m, c} times sixteen, channels in the order 0, 4, 8, 12, 2, 6 ... 15.
Argument channels_constants(const Node& node, Lowering& low, int64_t channels);

// Weights of 3 x 3 kernels as [channels][4 columns][4], the first column and the fourth of each four zero, and four
// zeros more.
Argument pack_columns4(Lowering& low, const std::string& key, const Constant& w, int64_t channels);

// Weights of a depthwise layer with no more than 8 bits each: `times` for each tap, which add up to it. Products of two
// neighbours, behind the first where their number is odd, add up within 16 bits. None: they do not.
struct ChannelWeights {
  Constant weights;  // [channels][length]
  int64_t length = 0, times = 1;
};
std::optional<ChannelWeights> channel_weights(const Node& node, const Constant& w, int64_t channels, int64_t taps);

// [channels][3 columns] words: the weights of three lines and the negative zero point.
Argument pack_columns3(Lowering& low, const std::string& key, const Constant& w, const Constant* zeros,
                       int64_t channels);

// The zero points of the weights, four lanes a quad, or none; `add`: what the stored weights are higher by; `factor`:
// -1 for the negative ones.
Argument weight_zeros(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t add = 0,
                      int64_t factor = 1);

// Exceptions by packed channel: the unused lanes of a group's last quad, or pair (`block`), have none.
Argument packed_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t block = 4);

// The same in pairs, with an end behind each group and begins counted from the group's first.
Argument group_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group);

// Where the weights take few bits, the plan may unpack them from so many in the arena.
Argument narrow_where_room(Lowering& low, Argument weights);

// The layer's constants for inputs that are 128 higher.
Node for_unsigned(const Node& node, const Constant& w);

// Weights with zero points meet the sum of the inputs, which stands behind them in pieces of 16 bits, each of them
// twice: a zero point may need two weights.
struct SummedWeights {
  Constant weights;
  std::vector<int64_t> order;
  int64_t pieces = 0;
};
// How many weights an output has then, of `length` in the model.
int64_t length_with_sums(const Node& node, int64_t length);
// `most`: of a weight.
SummedWeights with_sums(const Node& node, const Constant& w, const std::vector<int64_t>& order, int64_t most = 127);

}  // namespace tarn::ops
