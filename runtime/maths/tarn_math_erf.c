/* tarn_math_erf.c - x p(x^2) below 1; 1 - erfc(x) above, erfc as a power of two with a polynomial exponent. */
#include "tarn_math_erf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_erf(double x) { return erf(x); }
#else
#include "tarn_math_exp2_q63.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"

/* erf(x) / x in z = x^2: minimax of degree 12, relative error 2^-62.7. */
static const uint64_t tarn_erf_slope_f64[13] = {
    0x48375d410a6db446u, 0xe7ed8b94fc861a1eu, 0x0738bc86810ac81au, 0xfe47d31ced7b6647u, 0x005596f3436c0b1au,
    0xfff1fe9261389921u, 0x0001f9a321a116d3u, 0xffffc165c418e497u, 0x000006e77bc66570u, 0xffffff507164ae5eu,
    0x0000000fbd20896du, 0xfffffffec795417eu, 0x0000000010579a6au};

/* -log2(erfc(x)), Q56: minimax of degree 13 in x - 1 on [1, 2], then in (x - 2) / 4 on [2, 6]; error of erf 2^-60. */
static const uint64_t tarn_erf_tail_f64[28] = {
    0x02ab1d5b4cc6fe5cu, 0x03cea651fcf18accu, 0x0137627e9b5c5edcu, 0x000f5989b44834eau, 0xfffc4b5136d92ba5u,
    0x0000bb01f2ede8f3u, 0xffffe98fd0c543c3u, 0xfffffd83a5eb0ca6u, 0x000002925b11481fu, 0xffffff15486d2b29u,
    0x0000003516cca25au, 0xfffffff9240c656cu, 0x0000000017598383u, 0x000000001534f7a2u,

    0x07bd6ef244ba7807u, 0x197f093d65911045u, 0x1552b38b77edc289u, 0x0185301a47207d1eu, 0xfeae63f39ab82260u,
    0x0114fd6f1aa67ad0u, 0xff334aace43087d2u, 0x007d73fbcc2a773au, 0xffcfafd3ddaaeb03u, 0xfff1469172a4378au,
    0x0032bef659716bddu, 0xffcb55ac90dd8e82u, 0x001e3f0e8608f717u, 0xfff8241d09dfbc4bu};

TARN_API double tarn_erf(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;
  uint64_t t;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits >= 0x4018000000000000u) { /* 6: the result rounds to 1 */
    return (sign != 0u) ? -1.0 : 1.0;
  }
  if (bits == 0u) {
    return x;
  }
  m = tarn_f64_split(bits, &b);
  if (bits < TARN_F64_ONE) {
    m = tarn_mulhi_u64(m, tarn_poly_q62(tarn_erf_slope_f64, 13u, tarn_square_q64(b, m)));
    b += 2u;
  } else {
    if (bits < 0x4000000000000000u) {
      t = tarn_poly_q62(tarn_erf_tail_f64, 14u, m << 1);
    } else { /* x in Q61 */
      t = tarn_poly_q62(&tarn_erf_tail_f64[14], 14u, ((m >> (1024u - b)) - 0x4000000000000000u) << 1);
    }
    t = (uint64_t)0 - t;
    m = 0x8000000000000000u - (tarn_exp2_q63(t << 8) >> (256u - (uint32_t)(t >> 56)));
    b = 1022u;
  }
  m = tarn_f64_normalise(m, &b);
  return tarn_f64_round(sign, b, m);
}
#endif
