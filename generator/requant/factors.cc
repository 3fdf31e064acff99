#include "requant/factors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace tarn::requant {

int64_t multiplier_of(const Factor& factor, int64_t multiplier) {
  const int64_t whole = (int64_t{factor.mantissa} << kFactorShift) >> factor.depth;
  return (whole * multiplier) >> 32;
}

std::optional<Factor> factor_of(int64_t m, int64_t multiplier) {
  if (m <= 0 || multiplier <= 0) return {};
  int exponent = 0;
  const double ratio = std::frexp(static_cast<double>(m) / static_cast<double>(multiplier), &exponent);
  const auto nearest = static_cast<int32_t>(std::nearbyint(std::ldexp(ratio, kFactorBits)));
  // Products are rounded down: one that is small may be of the next larger number.
  for (Factor factor : {Factor{nearest, 0}, Factor{nearest + 1, 0}}) {
    int place = exponent;
    if (factor.mantissa == 1 << kFactorBits) factor.mantissa >>= 1, ++place;
    // m / multiplier is mantissa * 2^(23 - depth - 32), and the mantissa 8 bits of 2^place.
    factor.depth = kFactorShift + kFactorBits - 32 - place;
    const bool known = factor.mantissa < 1 << kFactorBits && factor.depth >= 0 && factor.depth <= kDeepestFactor;
    if (known && multiplier_of(factor, multiplier) == m) return factor;
  }
  return {};
}

std::optional<Factors> find_factors(std::span<const float> scales) {
  struct Parts {
    int64_t odd = 0;
    int exponent = 0;
  };
  std::vector<Parts> parts;
  int64_t common = 0;
  for (const float scale : scales) {
    if (!(scale > 0) || !std::isnormal(scale)) return {};
    Parts& of = parts.emplace_back();
    of.odd = static_cast<int64_t>(std::ldexp(std::frexp(scale, &of.exponent), 24));
    const int zeros = std::countr_zero(static_cast<uint64_t>(of.odd));
    of.odd >>= zeros;
    of.exponent += zeros - 24;
    common = std::gcd(common, of.odd);
  }
  if (parts.empty()) return {};
  int most = INT32_MIN;
  for (Parts& of : parts) {
    of.odd /= common;
    const auto bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(of.odd)));
    if (bits > kFactorBits) return {};
    of.odd <<= kFactorBits - bits;
    of.exponent -= kFactorBits - bits;
    most = std::max(most, of.exponent);
  }
  Factors found;
  found.common = std::ldexp(static_cast<double>(common), most);
  for (const Parts& of : parts) {
    if (most - of.exponent > kDeepestFactor) return {};
    found.of.push_back({static_cast<int32_t>(of.odd), most - of.exponent});
  }
  return found;
}

}  // namespace tarn::requant
