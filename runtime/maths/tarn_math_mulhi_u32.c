/* tarn_math_mulhi_u32.c - 32 by 32 bit multiplication from four 16 by 16 bit ones, for ARMv6-M. */
#include "tarn_math_mulhi_u32.h"

#if TARN_MULHI_U32_CALL
TARN_API uint32_t tarn_mulhi_u32(uint32_t a, uint32_t b) {
  const uint32_t a_high = a >> 16;
  const uint32_t a_low = a & 0xffffu;
  const uint32_t b_high = b >> 16;
  const uint32_t b_low = b & 0xffffu;
  const uint32_t low = a_low * b_low;
  const uint32_t middle = a_high * b_low + (low >> 16); /* at most (2^16-1)^2 + 2^16-1 < 2^32 */
  const uint32_t cross = a_low * b_high + (middle & 0xffffu);

  return a_high * b_high + (middle >> 16) + (cross >> 16);
}
#endif
