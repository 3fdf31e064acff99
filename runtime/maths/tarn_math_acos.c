/* tarn_math_acos.c - pi/2 - asin(x) up to 1/2; 2 asin(sqrt((1 - x) / 2)) above, or pi minus that of -x. */
#include "tarn_math_acos.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_acos(double x) { return acos(x); }
#else
#include "tarn_math_asin_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_acos(double x) {
  const uint64_t sign = tarn_f64_to_bits(x) & TARN_F64_SIGN;
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b = 0;
  uint64_t m = 0;

  if (bits >= TARN_F64_ONE) {
    if (bits > TARN_F64_ONE) {
      return tarn_f64_from_bits(TARN_F64_NAN);
    }
    return tarn_f64_from_bits((sign != 0u) ? 0x400921fb54442d18u : 0u); /* pi */
  }
  if (bits < 0x3fe0000000000000u) {
    if (bits >= 0x3c00000000000000u) { /* 2^-63 */
      m = tarn_f64_split(bits, &b);
      m = tarn_asin_parts_f64(&b, m);
      m = tarn_shift_u64(m, 1023u - b); /* Q62 */
    }
    m = (sign != 0u) ? (0x6487ed5110b4611au + m) : (0x6487ed5110b4611au - m); /* pi/2 in Q62 */
    b = 1023u;
  } else {
    m = tarn_asin_root_f64(&b, ((uint64_t)0 - ((bits << 11) | 0x8000000000000000u)) >> 1);
    b += 1u;
    if (sign != 0u) {
      m = 0xc90fdaa22168c234u - tarn_shift_u64(m, 1023u - b); /* pi in Q62 */
      b = 1023u;
    }
  }
  m = tarn_f64_normalise(m, &b);
  return tarn_f64_round(0u, b, m);
}
#endif
