/* tarn_math_logf.c - log(2^e (1 + f)) = e ln 2 + f p(f) in 64 bits of fixed point. */
#include "tarn_math_logf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_logf(float x) { return logf(x); }
#else
#include "tarn_math_log_q54.h"

TARN_API float tarn_logf(float x) {
  uint32_t bits = tarn_f32_to_bits(x);
  int32_t below = 0;
  int32_t slope;
  int32_t e;
  int32_t f;

  if (bits - 0x00800000u >= 0x7f000000u) { /* not a positive normal number */
    if ((bits & ~TARN_F32_SIGN) == 0u) {
      return tarn_f32_from_bits(TARN_F32_SIGN | TARN_F32_INF);
    }
    if (bits == TARN_F32_INF) {
      return x;
    }
    if (bits > TARN_F32_INF) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    below = (int32_t)tarn_clz_u32(bits) - 8;
    bits <<= below;
  }
  f = tarn_log_split_f32(bits, &e);
  slope = (int32_t)(tarn_log1p_slope_q31((uint32_t)f << 8) >> 1);                            /* Q30 */
  return tarn_f32_round_q54((e - below) * (int64_t)0x002c5c85fdf473de + (int64_t)f * slope); /* ln 2 in Q54 */
}
#endif
