/* tarn_math_poly_q62.c - one loop for all polynomials of the double functions: there size counts more than speed. */
#include "tarn_math_poly_q62.h"

#include "tarn_math_mulhi_u64.h"

TARN_API uint64_t tarn_poly_q62(const uint64_t* c, uint32_t count, uint64_t z) {
  uint64_t sum = c[count - 1u];
  uint32_t i;

  for (i = count - 1u; i > 0u; --i) {
    sum = c[i - 1u] + tarn_mulhi_u64(sum, z) - (((sum >> 63) != 0u) ? z : 0u); /* sum is signed */
  }
  return sum;
}
