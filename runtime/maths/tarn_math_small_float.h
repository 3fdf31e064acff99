/* tarn_math_small_float.h - conversion between float and the formats of 16 bits and less, given mantissa bits and bias.
 * Codes are without sign. Infinity, NaN, overflow and zero are each format's own matter. */
#ifndef TARN_MATH_SMALL_FLOAT_H
#define TARN_MATH_SMALL_FLOAT_H

#include "tarn_math_bits.h"
#include "tarn_math_fixed.h"

/* The code nearest to the finite positive float with these bits, halves to even, as if exponents had no upper end: a
 * code above the format's largest means overflow. Floats below 2^-126 give 0. */
TARN_INLINE uint32_t tarn_small_from_f32(uint32_t bits, uint32_t mantissa_bits, uint32_t bias) {
  const uint32_t exponent = bits >> 23;
  uint32_t m;
  uint32_t shift;

  if (exponent > (127u - bias)) { /* normal there too: the exponents' difference is taken off, the rest is rounded away */
    m = bits - ((127u - bias) << 23);
    shift = 23u - mantissa_bits;
  } else {
    m = (bits & 0x007fffffu) | 0x00800000u;
    shift = 151u - bias - mantissa_bits - exponent;
    if (shift > 24u) {
      return 0;
    }
  }
  return (m + ((uint32_t)1 << (shift - 1u)) - 1u + ((m >> shift) & 1u)) >> shift;
}

/* The bits of the float with this code. */
TARN_INLINE uint32_t tarn_small_to_f32(uint32_t code, uint32_t mantissa_bits, uint32_t bias) {
  uint32_t shift;

  if ((code >> mantissa_bits) != 0u) {
    return (code << (23u - mantissa_bits)) + ((127u - bias) << 23);
  }
  if (code == 0u) {
    return 0;
  }
  shift = tarn_clz_u32(code) - (31u - mantissa_bits); /* subnormal: to the place of a leading one */
  return (code << (shift + 23u - mantissa_bits)) + ((127u - bias - shift) << 23);
}

/* The 8-bit formats whose code of negative zero is the only NaN, without infinity. */
TARN_INLINE uint8_t tarn_fnuz_from_f32(float x, uint32_t saturate, uint32_t mantissa_bits, uint32_t bias) {
  const uint32_t sign = (tarn_f32_to_bits(x) >> 24) & 0x80u;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits > TARN_F32_INF) {
    return 0x80u;
  }
  code = tarn_small_from_f32(bits, mantissa_bits, bias);
  if (code == 0u) {
    return 0;
  }
  if (code > 0x7fu) {
    if (saturate == 0u) {
      return 0x80u;
    }
    code = 0x7fu;
  }
  return (uint8_t)(sign | code);
}

TARN_INLINE float tarn_fnuz_to_f32(uint8_t code, uint32_t mantissa_bits, uint32_t bias) {
  if (code == 0x80u) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  return tarn_f32_from_bits(((uint32_t)(code & 0x80u) << 24) | tarn_small_to_f32(code & 0x7fu, mantissa_bits, bias));
}

#endif /* TARN_MATH_SMALL_FLOAT_H */
