/* tarn_math_atan.c - t (1 - z a(z)), z = t^2, with t = |x| or 1 / |x|, whichever is at most 1. */
#include "tarn_math_atan.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_atan(double x) { return atan(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"
#include "tarn_math_recip_q64.h"

/* Minimax of degree 20, error of atan 2^-60.2. */
static const uint64_t tarn_atan_tail_f64[21] = {
    0x1555555555554cc1u, 0xf33333333339ec36u, 0x0924924922b564d8u, 0xf8e38e39275aa65eu, 0x05d1745740d62797u,
    0xfb13b190c4f55241u, 0x044440c9a5cbdb21u, 0xfc3c56f1c597aa5eu, 0x035db4a3f4804d0eu, 0xfcf69760b9bf721au,
    0x02be48421fc8228du, 0xfd8df762b0538e86u, 0x0219280d007807e1u, 0xfe5387f1adb90008u, 0x0130f9a794772c03u,
    0xff46924465cb1bd5u, 0x005bf41e93bfed13u, 0xffdcbf8c6de0c89fu, 0x0009b6ca0da48484u, 0xfffe4c538398803au,
    0x0000244c7a2b1187u};

TARN_API double tarn_atan(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;
  uint64_t z;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= 0x43e0000000000000u) { /* 2^63: the result rounds to pi/2 */
    return tarn_f64_from_bits((tarn_f64_to_bits(x) & TARN_F64_SIGN) | 0x3ff921fb54442d18u);
  }
  m = tarn_f64_split(bits, &b);
  if (bits >= TARN_F64_ONE) {
    b = 2043u - b;
    m = tarn_recip_q64(m);
  }
  z = tarn_square_q64(b, m);
  m -= tarn_mulhi_u64(m, tarn_mulhi_u64(z, tarn_poly_q62(tarn_atan_tail_f64, 21u, z)) << 2);
  if (bits >= TARN_F64_ONE) {
    m = 0xc90fdaa22168c234u - tarn_shift_u64(m, 1022u - b); /* pi/2 in Q63 */
    b = 1022u;
  }
  m = tarn_f64_normalise(m, &b);
  return tarn_f64_round(sign, b, m);
}
#endif
