/* tarn_math_asin_parts_f64.c - x (1 + z a(z)), z = x^2. */
#include "tarn_math_asin_parts_f64.h"

#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"
#include "tarn_math_sqrt_q64.h"

/* Minimax of degree 12 on z <= 1/4, error of asin 2^-59.8. */
static const uint64_t tarn_asin_tail_f64[13] = {
    0x0aaaaaaaaaaabb8eu, 0x04ccccccccb841d4u, 0x02db6db6e427d535u, 0x01f1c71a947ae982u, 0x016e8bdeeba1ebd9u,
    0x011c49efa7c0f5e3u, 0x00e50fce61265920u, 0x00bac28b66fd7f96u, 0x00b09f703ee9e467u, 0x003cba966a8f104eu,
    0x0163a5d29d632abfu, 0xfea7f5fe2cf0d6a9u, 0x021694e69b010bf2u};

static uint64_t tarn_asin_of_square_f64(uint32_t* b, uint64_t m, uint64_t z) {
  const uint64_t excess = tarn_mulhi_u64(z, tarn_poly_q62(tarn_asin_tail_f64, 13u, z)) << 2;
  *b += 1u;
  return tarn_f64_normalise((m >> 1) + (tarn_mulhi_u64(m, excess) >> 1), b);
}

TARN_API uint64_t tarn_asin_parts_f64(uint32_t* b, uint64_t m) {
  return tarn_asin_of_square_f64(b, m, tarn_square_q64(*b, m));
}

TARN_API uint64_t tarn_asin_root_f64(uint32_t* b, uint64_t z) {
  const uint32_t shift = tarn_clz_u64(z) >> 1;
  *b = 1021u - shift;
  return tarn_asin_of_square_f64(b, tarn_f64_normalise(tarn_sqrt_q64(z << (2u * shift)), b), z);
}
