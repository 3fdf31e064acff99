// The weights of a layer as codes, rounded so that its sums come out right rather than each weight alone.
#pragma once
#include <optional>
#include <vector>

#include "quantize/moments.h"

namespace tarn::quantize {

struct WeightOptions {
  int bits = 8;
  bool round_by_sums = true;  // else each weight to its nearest code
  bool correct_bias = true;   // the mean of each sum becomes what it was
};

struct LayerCodes {
  std::vector<int32_t> codes;  // by output channel: rows of LayerShape::length
  std::vector<float> scale;    // by output channel
  std::vector<double> bias;    // by output channel
};

// `weights`: rows by output channel; `bias`: by output channel, or empty; `moments`: may have no groups. Where `scales`
// is less than the channels (ConvTranspose with groups) channels c and c + scales share one. `step`: of the input's
// codes; no bias needs more than 31 bits.
LayerCodes quantise_layer(const LayerShape& shape, const std::vector<float>& weights, const std::vector<float>& bias,
                          const LayerMoments& moments, int64_t scales, float step, const WeightOptions& options);

// Rows by output channel of a weight tensor, and back.
std::vector<float> rows_of(const Constant& weights, const graph::Node& node);
std::vector<int64_t> stored_order(const std::vector<int32_t>& rows, const Shape& weights, const graph::Node& node);

}  // namespace tarn::quantize
