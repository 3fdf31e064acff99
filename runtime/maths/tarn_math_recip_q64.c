/* tarn_math_recip_q64.c - the reciprocal of the upper half, and Newton steps. */
#include "tarn_math_recip_q64.h"

#include "tarn_math_mulhi_u64.h"
#include "tarn_math_recip_q32.h"

TARN_API uint64_t tarn_recip_q64(uint64_t d) {
  uint64_t y = (uint64_t)tarn_recip_q32((uint32_t)(d >> 32)) << 32;

  y = tarn_mulhi_u64(y, (uint64_t)0 - tarn_mulhi_u64(d, y)) << 1;
  return tarn_mulhi_u64(y, (uint64_t)0 - tarn_mulhi_u64(d, y)) << 1;
}
