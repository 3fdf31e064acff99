/* tarn_math_f8e4m3fnuz.c - conversion by integer operations. The code of negative zero is the only NaN. */
#include "tarn_math_f8e4m3fnuz.h"

#include "tarn_math_small_float.h"

TARN_API uint8_t tarn_f32_to_f8e4m3fnuz(float x, uint32_t saturate) {
  const uint32_t sign = (tarn_f32_to_bits(x) >> 24) & 0x80u;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits > TARN_F32_INF) {
    return 0x80u;
  }
  code = tarn_small_from_f32(bits, 3u, 8u);
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

TARN_API float tarn_f8e4m3fnuz_to_f32(uint8_t code) {
  if (code == 0x80u) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  return tarn_f32_from_bits(((uint32_t)(code & 0x80u) << 24) | tarn_small_to_f32(code & 0x7fu, 3u, 8u));
}
