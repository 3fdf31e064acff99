/* tarn_math_expm1_parts_f64.c - f q(f) below ln 2, with 2^f = 1 + f q(f); the difference in fixed point above. */
#include "tarn_math_expm1_parts_f64.h"

#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_recip_q64.h"

TARN_API uint64_t tarn_expm1_parts_f64(uint64_t bits, uint32_t* b) {
  uint32_t n;
  uint64_t m = tarn_f64_split(bits, b);

  m = tarn_mulhi_u64(m, 0xb8aa3b295c17f0bbu); /* 1 / ln 2 in Q63 */
  *b += 1u;
  m = tarn_f64_normalise(m, b);
  if (*b < 1022u) { /* x / ln 2 < 1 */
    m = tarn_mulhi_u64(m, tarn_exp2_slope_q62(m >> (1021u - *b)));
    *b += 2u;
  } else {
    m = tarn_exp_parts_f64(0u, bits, &n);
    m -= tarn_shift_u64(0x8000000000000000u, n);
    *b = 1022u + n;
  }
  return tarn_f64_normalise(m, b);
}

TARN_API uint64_t tarn_over_1_plus_f64(uint64_t m, uint32_t* b) {
  uint64_t sum;

  if (*b < 1022u) { /* u < 1 */
    sum = 0x8000000000000000u + tarn_shift_u64(m, 1022u - *b);
  } else {
    sum = m + tarn_shift_u64(0x8000000000000000u, *b - 1022u);
    *b = 1022u;
    if (sum < m) { /* a carry out of the top bit */
      sum = (sum >> 1) | 0x8000000000000000u;
      *b = 1021u;
    }
  }
  return tarn_f64_normalise(tarn_mulhi_u64(m, tarn_recip_q64(sum)), b);
}
