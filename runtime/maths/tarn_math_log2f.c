/* tarn_math_log2f.c - log2(2^e (1 + f)) = e + f p(f) / ln 2 in 64 bits of fixed point. */
#include "tarn_math_log2f.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_log2f(float x) { return log2f(x); }
#else
#include "tarn_math_log_q54.h"

TARN_API float tarn_log2f(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  int32_t slope;
  int32_t e;
  int32_t f;

  if (tarn_log_has_parts_f32(bits) == 0) {
    return tarn_log_special_f32(bits);
  }
  f = tarn_log_split_f32(bits, &e);
  slope = (int32_t)tarn_mulhi_u32(tarn_log1p_slope_q31((uint32_t)f << 8), 0xb8aa3b29u); /* times 1 / ln 2 in Q31: Q30 */
  return tarn_f32_round_q54((e * ((int64_t)1 << 54)) + ((int64_t)f * slope));
}
#endif
