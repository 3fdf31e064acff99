/* tarn_math_fixed.h - fixed-point pieces of the float functions.
 * Every function of tarn_math works on integers: a mantissa of 32 bits has eight bits more than a float, so one
 * rounding at the end is all that is lost, and no compiler, FPU mode or flag can change a bit of the result. Qn is an
 * unsigned integer that counts units of 2^-n. */
#ifndef TARN_MATH_FIXED_H
#define TARN_MATH_FIXED_H

#include "tarn.h"
#include "tarn_math_bits.h"
#include "tarn_math_mulhi_u32.h"
#include "tarn_math_round_outside.h"

/* Leading zero bits; x is not 0. */
TARN_INLINE uint32_t tarn_clz_u32(uint32_t x) {
#if TARN_GNU && UINT_MAX == 0xffffffffu
  return (uint32_t)__builtin_clz(x);
#else
  uint32_t n = 0;
  while ((x & 0x80000000u) == 0u) {
    x <<= 1;
    ++n;
  }
  return n;
#endif
}

TARN_INLINE uint32_t tarn_clz_u64(uint64_t x) {
  const uint32_t high = (uint32_t)(x >> 32);
  return (high != 0u) ? tarn_clz_u32(high) : (32u + tarn_clz_u32((uint32_t)x));
}

/* Numbers on their way in and out: m * 2^(b-157), with 2^31 <= m. As b is one less than the exponent field of a float,
 * normal numbers have 0 <= b <= 253; negative b are two's complement. */

/* The nearest float, with the sign bit given, when it is a normal number or rounds to 2^128, which gives infinity.
 * Halves go up: m is an approximation, or exact with at most 24 bits. */
TARN_INLINE float tarn_f32_round_normal(uint32_t sign, uint32_t b, uint32_t m) {
  /* The leading bit of the mantissa adds the one to the exponent, and so does a carry out of rounding. */
  return tarn_f32_from_bits((sign | (b << 23)) + (m >> 8) + ((m >> 7) & 1u));
}

/* As above for any b: infinity above the range, subnormal numbers and zero below it. */
TARN_INLINE float tarn_f32_round(uint32_t sign, uint32_t b, uint32_t m) {
  if (b > 253u) {
    return tarn_f32_round_outside(sign, b, m);
  }
  return tarn_f32_round_normal(sign, b, m);
}

/* The parts of the positive finite float with these bits; not for 0. */
TARN_INLINE uint32_t tarn_f32_split(uint32_t bits, uint32_t* b) {
  if (bits < 0x00800000u) {
    const uint32_t shift = tarn_clz_u32(bits);
    *b = 8u - shift;
    return bits << shift;
  }
  *b = (bits >> 23) - 1u;
  return (bits << 8) | 0x80000000u;
}

/* The square in Q32 of m * 2^(b-157), 2^-17 <= it < 1: 110 <= b <= 125. */
TARN_INLINE uint32_t tarn_square_q32(uint32_t b, uint32_t m) { return tarn_mulhi_u32(m, m) >> (250u - (2u * b)); }

#endif /* TARN_MATH_FIXED_H */
