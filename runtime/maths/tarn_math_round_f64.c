/* tarn_math_round_f64.c - rounding, overflow and gradual underflow. */
#include "tarn_math_round_f64.h"

#include "tarn_math_bits.h"

TARN_API double tarn_f64_round(uint32_t sign, uint32_t b, uint64_t m) {
  uint64_t m_now = m;
  const uint64_t sign_bit = (sign != 0u) ? TARN_F64_SIGN : 0u;

  if (b <= 2045u) {
    /* The leading bit of the mantissa adds the one to the exponent, and so does a carry out of rounding. */
    return tarn_f64_from_bits((sign_bit | ((uint64_t)b << 52)) + (m_now >> 11) + ((m_now >> 10) & 1u));
  }
  if (b < 0x80000000u) {
    return tarn_f64_from_bits(sign_bit | TARN_F64_INF);
  }
  if ((0u - b) > 53u) {
    return tarn_f64_from_bits(sign_bit);
  }
  m_now >>= 10u - b; /* units of 2^-1075: one bit more than the result has */
  return tarn_f64_from_bits(sign_bit | ((m_now >> 1) + (m_now & 1u)));
}
