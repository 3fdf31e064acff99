/* tarn_math_half.c - float16 by integer operations. */
#include "tarn_math_half.h"

#include "tarn_math_small_float.h"

TARN_API uint16_t tarn_f32_to_f16(float x) {
  const uint32_t sign = (tarn_f32_to_bits(x) >> 16) & 0x8000u;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits >= 0x47800000u) { /* 65536 */
    code = bits > TARN_F32_INF ? 0x7e00u : 0x7c00u;
  } else {
    code = tarn_small_from_f32(bits, 10u, 15u); /* up to 0x7c00, infinity */
  }
  return (uint16_t)(sign | code);
}

TARN_API float tarn_f16_to_f32(uint16_t h) {
  const uint32_t code = h & 0x7fffu;
  const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;

  if (code >= 0x7c00u) {
    return tarn_f32_from_bits(sign | ((code > 0x7c00u) ? TARN_F32_NAN : TARN_F32_INF));
  }
  return tarn_f32_from_bits(sign | tarn_small_to_f32(code, 10u, 15u));
}
