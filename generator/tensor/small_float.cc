// Half, bfloat16, and the 8-bit and 4-bit floats: all are cut-down binary floats, so one table of formats and one
// rounding routine serve them. Formats: IEEE 754 half; bfloat16; OCP 8-bit (OFP8) and Microscaling (MX) v1.0; the fnuz
// variants of Noune et al., "8-bit Numerical Formats for Deep Neural Networks" (2022).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/check.h"
#include "tensor/numeric.h"

namespace tarn {

namespace {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_infinity;   // all exponent bits set: infinity or NaN, as in IEEE 754
  bool has_nan;        // else: the one code `nan`
  uint8_t nan;         // magnitude bits; for fnuz the code of minus zero
  bool negative_zero;  // false: fnuz
};

constexpr Format kHalf{5, 10, 15, true, true, 0, true};
constexpr Format kE4M3FN{4, 3, 7, false, true, 0x7F, true};
constexpr Format kE4M3FNUZ{4, 3, 8, false, true, 0x80, false};
constexpr Format kE5M2{5, 2, 15, true, true, 0, true};
constexpr Format kE5M2FNUZ{5, 2, 16, false, true, 0x80, false};
constexpr Format kE2M1{2, 1, 1, false, false, 0, true};

const Format& format_of(DType type) {
  switch (type) {
    case DType::float8e4m3fn: return kE4M3FN;
    case DType::float8e4m3fnuz: return kE4M3FNUZ;
    case DType::float8e5m2: return kE5M2;
    case DType::float8e5m2fnuz: return kE5M2FNUZ;
    case DType::float4e2m1: return kE2M1;
    default: TARN_FAIL("not a small float: " + to_string(type));
  }
}

uint32_t sign_bit(const Format& f) { return uint32_t{1} << (f.exponent_bits + f.mantissa_bits); }

// The magnitude code of the largest finite value.
uint32_t largest(const Format& f) {
  const uint32_t all = sign_bit(f) - 1;
  if (f.has_infinity) return all - (uint32_t{1} << f.mantissa_bits);
  return f.has_nan && f.negative_zero ? all - 1 : all;  // E4M3FN gives its last code to NaN
}

double decode(const Format& f, uint32_t bits) {
  const bool negative = (bits & sign_bit(f)) != 0;
  const uint32_t magnitude = bits & (sign_bit(f) - 1);
  if (!f.negative_zero && negative && magnitude == 0) return std::numeric_limits<double>::quiet_NaN();
  double value;
  if (magnitude > largest(f)) {
    const bool infinite = f.has_infinity && magnitude == largest(f) + 1;
    value = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const uint32_t exponent = magnitude >> f.mantissa_bits;
    const uint32_t mantissa = magnitude & ((uint32_t{1} << f.mantissa_bits) - 1);
    const int scale = exponent == 0 ? 1 : static_cast<int>(exponent);
    const uint32_t whole = exponent == 0 ? mantissa : mantissa + (uint32_t{1} << f.mantissa_bits);
    value = std::ldexp(static_cast<double>(whole), scale - f.bias - f.mantissa_bits);
  }
  return negative ? -value : value;
}

uint32_t encode_nan(const Format& f, bool negative) {
  if (!f.has_nan) return sign_bit(f);  // E2M1 has no NaN; minus zero, as the reference implementation gives
  if (!f.negative_zero) return f.nan;
  const uint32_t sign = negative ? sign_bit(f) : 0;
  if (!f.has_infinity) return sign | f.nan;
  return sign | (largest(f) + 1) | (uint32_t{1} << (f.mantissa_bits - 1));  // quiet
}

// Overflow and infinity: the largest value when saturating or when there is nothing beyond it.
uint32_t encode_beyond(const Format& f, bool negative, bool saturate) {
  const uint32_t sign = negative ? sign_bit(f) : 0;
  if (saturate || !f.has_nan) return sign | largest(f);
  return f.has_infinity ? sign | (largest(f) + 1) : encode_nan(f, negative);
}

uint32_t encode(const Format& f, double value, bool saturate) {
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return encode_nan(f, negative);
  if (std::isinf(value)) return encode_beyond(f, negative, saturate);
  const uint32_t sign = negative ? sign_bit(f) : 0;
  const double magnitude = std::fabs(value);
  // The unit of the last place at this magnitude; below the smallest normal it no longer shrinks.
  int exponent;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
  const int unit = std::max(exponent - 1, 1 - f.bias) - f.mantissa_bits;
  // Exact scaling, then one rounding to nearest even: |scaled| < 2^(mantissa_bits+1), so it fits an int.
  const double scaled = std::ldexp(magnitude, -unit);
  auto whole = static_cast<uint32_t>(scaled);
  const double rest = scaled - whole;
  if (rest > 0.5 || (rest == 0.5 && (whole & 1))) ++whole;
  if (whole == 0) return f.negative_zero ? sign : 0;
  // The code is linear in `whole`: a carry out of the mantissa moves into the exponent by itself.
  const int step = unit - (1 - f.bias - f.mantissa_bits);
  const int64_t code = (static_cast<int64_t>(step) << f.mantissa_bits) + whole;
  if (code > largest(f)) return encode_beyond(f, negative, saturate);
  return sign | static_cast<uint32_t>(code);
}

float e8m0_to_float(uint8_t bits) {
  return bits == 0xFF ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, bits - 127);
}

}  // namespace

uint8_t float_to_e8m0(float value, bool saturate, PowerRounding rounding) {
  if (std::isnan(value)) return 0xFF;
  if (std::isinf(value)) return saturate ? 0xFE : 0xFF;
  const float magnitude = std::fabs(value);
  if (magnitude == 0) return saturate ? 0 : 0xFF;
  int exponent;
  const float fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  int power = exponent - 1;                                 // magnitude in [2^power, 2^(power+1))
  if (rounding == PowerRounding::up && fraction > 0.5f) ++power;
  if (rounding == PowerRounding::nearest && fraction >= 0.75f) ++power;
  if (power < -127) return saturate ? 0 : 0xFF;
  if (power > 127) return saturate ? 0xFE : 0xFF;
  return static_cast<uint8_t>(power + 127);
}

float small_float_to_float(DType type, uint8_t bits) {
  if (type == DType::float8e8m0) return e8m0_to_float(bits);
  const Format& f = format_of(type);
  return static_cast<float>(decode(f, bits & (2 * sign_bit(f) - 1)));
}

uint8_t float_to_small_float(DType type, float value, bool saturate) {
  if (type == DType::float8e8m0) return float_to_e8m0(value, saturate, PowerRounding::up);
  return static_cast<uint8_t>(encode(format_of(type), value, saturate));
}

// Weights come in millions of halves: reassembling the bits is much faster than the general decode().
float half_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1F, mantissa = bits & 0x3FF;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

uint16_t double_to_half(double value) { return static_cast<uint16_t>(encode(kHalf, value, false)); }
uint16_t float_to_half(float value) { return double_to_half(value); }

float bfloat16_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

double bfloat16_above(double value) {
  const auto single = static_cast<float>(value);
  auto bits = std::bit_cast<uint32_t>(single);
  if (static_cast<double>(single) < value) ++bits;
  return static_cast<double>(bfloat16_to_float(static_cast<uint16_t>((bits + 0xffffu) >> 16)));
}

}  // namespace tarn
