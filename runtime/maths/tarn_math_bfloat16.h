/* tarn_math_bfloat16.h - bfloat16, the upper half of a float, as its bits. */
#ifndef TARN_MATH_BFLOAT16_H
#define TARN_MATH_BFLOAT16_H

#include "tarn_math_bits.h"

/* Nearest, halves to even; infinity out of range. NaN keeps its sign and loses its payload. */
TARN_INLINE uint16_t tarn_f32_to_bf16(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  if ((bits & ~TARN_F32_SIGN) > TARN_F32_INF) {
    return (uint16_t)((bits >> 16 & 0x8000u) | 0x7fc0u);
  }
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

TARN_INLINE float tarn_bf16_to_f32(uint16_t b) { return tarn_f32_from_bits((uint32_t)b << 16); }

#endif /* TARN_MATH_BFLOAT16_H */
