/* tarn_math_logf.c - log(2^e (1 + f)) = e ln 2 + f p(f) in 64 bits of fixed point. */
#include "tarn_math_logf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_logf(float x) { return logf(x); }
#else
#include "tarn_math_log_q55.h"

TARN_API float tarn_logf(float x) {
  uint32_t bits = tarn_f32_to_bits(x);
  uint32_t e;
  uint32_t f;
  uint32_t below = 0;

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
    below = tarn_clz_u32(bits) - 8u;
    bits <<= below;
  }
  f = tarn_log_split_f32(bits, &e);
  return tarn_f32_round_q55(tarn_log_q55(e - below, f));
}
#endif
