/* tarn_math_atanh.c - log(1 + u) / 2, u = 2 x / (1 - x). */
#include "tarn_math_atanh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_atanh(double x) { return atanh(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"
#include "tarn_math_recip_q64.h"

TARN_API double tarn_atanh(double x) {
  const uint64_t sign = tarn_f64_to_bits(x) & TARN_F64_SIGN;
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint32_t shift;
  uint64_t m;
  uint64_t rest;

  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F64_ONE) {
    return tarn_f64_from_bits(bits > TARN_F64_ONE ? TARN_F64_NAN : sign | TARN_F64_INF);
  }
  m = tarn_f64_split(bits, &b);
  rest = (uint64_t)0 - (m >> (1021u - b)); /* 1 - |x| in Q64 */
  shift = tarn_clz_u64(rest);
  b += 2u + shift;
  m = tarn_f64_normalise(tarn_mulhi_u64(m, tarn_recip_q64(rest << shift)), &b);
  m = tarn_log1p_parts_f64(0u, &b, m);
  return tarn_f64_round((sign != 0u) ? 1u : 0u, b - 1u, m);
}
#endif
