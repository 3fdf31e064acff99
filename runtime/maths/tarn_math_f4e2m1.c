/* tarn_math_f4e2m1.c - conversion by integer operations. */
#include "tarn_math_f4e2m1.h"

#include "tarn_math_small_float.h"

TARN_API uint8_t tarn_f32_to_f4e2m1(float x) {
  const uint32_t sign = (tarn_f32_to_bits(x) >> 28) & 0x8u;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits > TARN_F32_INF) {
    return 0x8u;
  }
  code = tarn_small_from_f32(bits, 1u, 1u);
  return (uint8_t)(sign | ((code > 7u) ? 7u : code));
}

TARN_API float tarn_f4e2m1_to_f32(uint8_t code) {
  return tarn_f32_from_bits(((uint32_t)(code & 0x8u) << 28) | tarn_small_to_f32(code & 0x7u, 1u, 1u));
}
