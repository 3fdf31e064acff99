// Multipliers of a layer's channels that are short numbers times one of the layer.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tarn::requant {

// note [short factors]: where the scales of channels have 8 significant bits beside what they have in common, m of a
// channel is the high word of the layer's multiplier times (mantissa << 23) >> depth: a byte and a few bits tell it.
constexpr int kFactorBits = 8, kFactorShift = 23, kDeepestFactor = 15;

struct Factor {
  int32_t mantissa = 1 << (kFactorBits - 1);  // 128 to 255
  int32_t depth = 0;                          // powers of two below the largest
};

// The multiplier is positive.
int64_t multiplier_of(const Factor& factor, int64_t multiplier);
// Of a channel's m; nothing: it is no such product.
std::optional<Factor> factor_of(int64_t m, int64_t multiplier);

struct Factors {
  std::vector<Factor> of;  // by channel
  double common = 0;       // the scale of a channel is mantissa * 2^-depth times this
};

// Nothing: the scales have more bits than that, or are too far apart.
std::optional<Factors> find_factors(std::span<const float> scales);

}  // namespace tarn::requant
