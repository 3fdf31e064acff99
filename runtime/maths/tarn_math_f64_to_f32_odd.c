/* tarn_math_f64_to_f32_odd.c - rounding to odd: truncates, and lets the last bit stand for all that was cut off. */
#include "tarn_math_f64_to_f32_odd.h"

#include "tarn_math_bits.h"

TARN_API float tarn_f64_to_f32_odd(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 32) & TARN_F32_SIGN;
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  const uint32_t exponent = (uint32_t)(bits >> 52);
  uint64_t m;
  uint32_t shift = 29;

  if (bits >= TARN_F64_INF) {
    return tarn_f32_from_bits(sign | (bits > TARN_F64_INF ? TARN_F32_NAN : TARN_F32_INF));
  }
  if (exponent > 1150u) { /* 2^128 and above: the largest float is odd */
    return tarn_f32_from_bits(sign | 0x7f7fffffu);
  }
  if (exponent >= 897u) { /* 2^-126 */
    m = bits - ((uint64_t)896u << 52);
  } else { /* a subnormal float, in units of 2^-149 */
    if (bits == 0u) {
      return tarn_f32_from_bits(sign);
    }
    if (exponent < 863u) {
      return tarn_f32_from_bits(sign | 1u);
    }
    m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    shift = 926u - exponent;
  }
  return tarn_f32_from_bits(sign | (uint32_t)(m >> shift) | (((m & (((uint64_t)1 << shift) - 1u)) != 0u) ? 1u : 0u));
}
