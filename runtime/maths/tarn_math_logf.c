/* tarn_math_logf.c - log(2^e (1 + f)) = e ln 2 + f p(f) in 64 bits of fixed point. */
#include "tarn_math_logf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_logf(float x) { return logf(x); }
#else
#include "tarn_math_log_q54.h"

TARN_API float tarn_logf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  int32_t slope;
  int32_t e;
  int32_t f;

  if (tarn_log_has_parts_f32(bits) == 0) {
    return tarn_log_special_f32(bits);
  }
  f = tarn_log_split_f32(bits, &e);
  slope = (int32_t)(tarn_log1p_slope_q31((uint32_t)f << 8) >> 1);                            /* Q30 */
  return tarn_f32_round_q54((e * (int64_t)0x002c5c85fdf473de) + ((int64_t)f * slope)); /* ln 2 in Q54 */
}
#endif
