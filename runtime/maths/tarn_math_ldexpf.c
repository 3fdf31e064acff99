/* tarn_math_ldexpf.c - adds to the exponent; only subnormal results are rounded, halves to even. */
#include "tarn_math_ldexpf.h"

#include "tarn_math_fixed.h"

TARN_API float tarn_ldexpf(float x, int32_t n) {
  int32_t n_now = n;
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t b;
  uint32_t m;
  uint32_t rest;

  if ((bits == 0u) || bits >= TARN_F32_INF) {
    return bits > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  m = tarn_f32_split(bits, &b);
  if (n_now > 400) {
    n_now = 400;
  } else if (n_now < -400) {
    n_now = -400;
  } else {
    /* neither overflows the exponent's sum */
  }
  b += (uint32_t)n_now;
  if (b <= 253u) {
    return tarn_f32_from_bits(sign | ((b << 23) + (m >> 8)));
  }
  if (b < 0x80000000u) {
    return tarn_f32_from_bits(sign | TARN_F32_INF);
  }
  b = 8u - b; /* m >> b counts units of 2^-149 */
  if (b > 31u) {
    return tarn_f32_from_bits(sign | (((b == 32u) && (m > 0x80000000u)) ? 1u : 0u));
  }
  rest = m << (32u - b);
  m >>= b;
  return tarn_f32_from_bits(sign | (m + (((rest > 0x80000000u) || ((rest == 0x80000000u) && ((m & 1u) != 0u))) ? 1u : 0u)));
}
