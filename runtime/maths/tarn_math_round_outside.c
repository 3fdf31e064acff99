/* tarn_math_round_outside.c - overflow and gradual underflow. */
#include "tarn_math_round_outside.h"

#include "tarn_math_bits.h"

TARN_API float tarn_f32_round_outside(uint32_t sign, uint32_t b, uint32_t m) {
  uint32_t m_now = m;
  if (b < 0x80000000u) {
    return tarn_f32_from_bits(sign | TARN_F32_INF);
  }
  if ((0u - b) > 24u) {
    return tarn_f32_from_bits(sign);
  }
  m_now >>= 7u - b; /* units of 2^-150: one bit more than the result has */
  return tarn_f32_from_bits(sign | ((m_now >> 1) + (m_now & 1u)));
}
