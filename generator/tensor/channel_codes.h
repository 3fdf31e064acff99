// channel_codes: constant codes of at most 8 bits as a matrix of int8, a row for each channel, without a copy of large
// ones.
#pragma once
#include <vector>

#include "tensor/constant.h"

namespace tarn {

// `codes` with the axis of the channels first and the others in their order, each less `less` of its channel (one for
// each), modulo 256. Codes that are so already stay where they are.
Constant channel_codes(const Constant& codes, int axis, const std::vector<int32_t>& less);

// The least and the greatest code of each channel.
struct ChannelBounds {
  std::vector<int32_t> least, most;
};
ChannelBounds bounds_of_channels(const Constant& codes, int axis);

}  // namespace tarn
