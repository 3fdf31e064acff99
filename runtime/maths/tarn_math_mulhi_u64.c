/* tarn_math_mulhi_u64.c - 64 by 64 bit multiplication from four 32 by 32 bit ones, for 32-bit cores. */
#include "tarn_math_mulhi_u64.h"

#if TARN_MULHI_U64_CALL
TARN_API uint64_t tarn_mulhi_u64(uint64_t a, uint64_t b) {
  const uint32_t a_high = (uint32_t)(a >> 32);
  const uint32_t a_low = (uint32_t)a;
  const uint32_t b_high = (uint32_t)(b >> 32);
  const uint32_t b_low = (uint32_t)b;
  const uint64_t middle = ((uint64_t)a_high * b_low) + (((uint64_t)a_low * b_low) >> 32); /* below 2^64 */
  const uint64_t cross = ((uint64_t)a_low * b_high) + (uint32_t)middle;

  return ((uint64_t)a_high * b_high) + (middle >> 32) + (cross >> 32);
}
#endif
