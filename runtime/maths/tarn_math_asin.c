/* tarn_math_asin.c - a polynomial up to 1/2; pi/2 - 2 asin(sqrt((1 - x) / 2)) above. */
#include "tarn_math_asin.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_asin(double x) { return asin(x); }
#else
#include "tarn_math_asin_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_asin(double x) {
  const uint64_t sign = tarn_f64_to_bits(x) & TARN_F64_SIGN;
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;

  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F64_ONE) {
    return tarn_f64_from_bits(bits > TARN_F64_ONE ? TARN_F64_NAN : (sign | 0x3ff921fb54442d18u)); /* pi/2 */
  }
  m = tarn_f64_split(bits, &b);
  if (bits <= 0x3fe0000000000000u) {
    m = tarn_asin_parts_f64(&b, m);
  } else {
    m = tarn_asin_root_f64(&b, ((uint64_t)0 - m) >> 1);
    m = 0xc90fdaa22168c234u - tarn_shift_u64(m, 1021u - b); /* pi/2 in Q63 */
    b = 1022u;
    m = tarn_f64_normalise(m, &b);
  }
  return tarn_f64_round((sign != 0u) ? 1u : 0u, b, m);
}
#endif
