/* tarn_math_acoshf.c - log(1 + u), u = d + sqrt(d (d + 2)), d = x - 1, which cancels nowhere. */
#include "tarn_math_acoshf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_acoshf(float x) { return acoshf(x); }
#else
#include "tarn_math_fixed.h"
#include "tarn_math_log1p_parts.h"
#include "tarn_math_sqrt_q32.h"

TARN_API float tarn_acoshf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t one;
  uint32_t d_b;
  uint32_t d_m;
  uint32_t shift;

  if (bits <= TARN_F32_ONE || bits >= TARN_F32_INF) {
    if (bits == TARN_F32_ONE) {
      return 0.0f;
    }
    return bits == TARN_F32_INF ? x : tarn_f32_from_bits(TARN_F32_NAN);
  }
  one = (b < 158u) ? (0x80000000u >> (b - 126u)) : 0u; /* 1 in units of m */
  d_m = m - one;
  shift = tarn_clz_u32(d_m);
  d_m <<= shift;
  d_b = b - shift;
  if ((m + one) < m) { /* x + 1 carries out of the top bit */
    m = ((m + one) >> 1) | 0x80000000u;
    b += 1u;
  } else {
    m += one;
  }
  /* (x - 1) (x + 1), with an even exponent for the root: value = m * 2^(b-157). */
  m = tarn_mulhi_u32(m, d_m);
  b += d_b - 125u;
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  if ((b & 1u) == 0u) {
    m >>= 1;
    b += 1u;
  }
  m = tarn_sqrt_q32(m);
  b = (b + 125u) >> 1;
  /* Add d, which is the smaller. */
  shift = b - d_b;
  d_m = (shift < 32u) ? (d_m >> shift) : 0u;
  m += d_m;
  if (m < d_m) {
    m = (m >> 1) | 0x80000000u;
    b += 1u;
  }
  m = tarn_log1p_parts_f32(0u, &b, m);
  return tarn_f32_round_normal(0u, b, m);
}
#endif
