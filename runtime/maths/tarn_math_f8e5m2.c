/* tarn_math_f8e5m2.c - conversion by integer operations. */
#include "tarn_math_f8e5m2.h"

#include "tarn_math_small_float.h"

TARN_API uint8_t tarn_f32_to_f8e5m2(float x, uint32_t saturate) {
  const uint32_t sign = (tarn_f32_to_bits(x) >> 24) & 0x80u;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits > TARN_F32_INF) {
    return (uint8_t)(sign | 0x7eu);
  }
  code = tarn_small_from_f32(bits, 2u, 15u);
  if (code > 0x7bu) {
    code = (saturate != 0u) ? 0x7bu : 0x7cu;
  }
  return (uint8_t)(sign | code);
}

TARN_API float tarn_f8e5m2_to_f32(uint8_t code) {
  const uint32_t sign = (uint32_t)(code & 0x80u) << 24;
  const uint32_t size = code & 0x7fu;

  if (size >= 0x7cu) {
    return tarn_f32_from_bits(sign | ((size > 0x7cu) ? TARN_F32_NAN : TARN_F32_INF));
  }
  return tarn_f32_from_bits(sign | tarn_small_to_f32(size, 2u, 15u));
}
