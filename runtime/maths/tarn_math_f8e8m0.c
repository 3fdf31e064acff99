/* tarn_math_f8e8m0.c - conversion by integer operations. */
#include "tarn_math_f8e8m0.h"

#include "tarn_math_bits.h"

/* The least number is 2^-127, a subnormal float. */
#define TARN_E8M0_MIN_F32 0x00400000u

TARN_API uint8_t tarn_f32_to_f8e8m0(float x, uint32_t saturate, uint32_t round) {
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t code;

  if (bits > TARN_F32_INF) {
    return 0xffu;
  }
  if (bits < 0x00800000u) { /* between 0 and 2^-126 */
    if (bits < TARN_E8M0_MIN_F32 && (saturate == 0u)) {
      return 0xffu;
    }
    code = (((round == 1u) && bits > TARN_E8M0_MIN_F32) || ((round == 2u) && (bits >= 0x00600000u))) ? 1u : 0u;
    return (uint8_t)code;
  }
  code = bits >> 23;
  if (round == 1u) {
    code = (bits + 0x007fffffu) >> 23;
  } else if (round == 2u) {
    code = (bits + 0x00400000u) >> 23;
  } else {
    /* towards zero: what was shifted out is gone */
  }
  if (code > 0xfeu) {
    code = (saturate != 0u) ? 0xfeu : 0xffu;
  }
  return (uint8_t)code;
}

TARN_API float tarn_f8e8m0_to_f32(uint8_t code) {
  if (code == 0xffu) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  return tarn_f32_from_bits((code == 0u) ? TARN_E8M0_MIN_F32 : ((uint32_t)code << 23));
}
