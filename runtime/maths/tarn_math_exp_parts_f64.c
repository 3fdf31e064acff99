/* tarn_math_exp_parts_f64.c - e^x = 2^n 2^f, x / ln 2 = n + f with 64 bits of f. */
#include "tarn_math_exp_parts_f64.h"

#include "tarn_math_exp2_q63.h"
#include "tarn_math_mulhi_u64.h"
#include "tarn_math_poly_q62.h"

/* Minimax of degree 11, relative error 2^-61.6. The sum is 1, not more: 2^f stays below 2. */
static const uint64_t tarn_exp2_slope_f64[12] = {0x2c5c85fdf473de6au, 0x0f5fdeffc162c854u, 0x038d611ae093e75bu,
                                                 0x009d955b7dd60dc9u, 0x0015d87fe767350au, 0x0002861226bb25f0u,
                                                 0x00003ff97cac346cu, 0x0000058b07601d56u, 0x0000006d3e7b7bedu,
                                                 0x000000079e7c71deu, 0x0000000072e02858u, 0x0000000009b8a13fu};

TARN_API uint64_t tarn_exp2_slope_q62(uint64_t f) { return tarn_poly_q62(tarn_exp2_slope_f64, 12u, f); }

TARN_API uint64_t tarn_exp_parts_f64(uint32_t negative, uint64_t bits, uint32_t* n) {
  const uint64_t m = (bits << 11) | 0x8000000000000000u;
  const uint64_t per_ln2 = 0xb8aa3b295c17f0bbu; /* 1 / ln 2 in Q63; be87... are the 64 bits below it */
  const uint64_t rest = tarn_mulhi_u64(m, 0xbe87fed0691d3e88u);
  const uint64_t low = (m * per_ln2) + rest;
  const uint64_t high = tarn_mulhi_u64(m, per_ln2) + ((low < rest) ? 1u : 0u); /* with low: Q126 */
  const uint32_t shift = 1085u - (uint32_t)(bits >> 52);
  uint64_t f;

  if (shift >= 64u) {
    *n = 0;
    f = high >> (shift - 64u);
  } else {
    *n = (uint32_t)(high >> shift);
    f = (high << (64u - shift)) | (low >> shift);
  }
  if (negative != 0u) { /* -(n + f) in two's complement */
    f = (uint64_t)0 - f;
    *n = 0u - *n - ((f != 0u) ? 1u : 0u);
  }
  return tarn_exp2_q63(f);
}
