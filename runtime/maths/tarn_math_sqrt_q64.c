/* tarn_math_sqrt_q64.c - the root of the upper half, and one division for the 32 bits below. */
#include "tarn_math_sqrt_q64.h"

#include "tarn_math_sqrt_q32.h"

TARN_API uint64_t tarn_sqrt_q64(uint64_t v) {
  /* Off from sqrt(v) by at most 3: the root of 32 bits by 2, the bits that it did not see by 1. */
  uint64_t y = tarn_sqrt_q32((uint32_t)(v >> 32));
  uint64_t below;

  while ((y * y) > v) {
    y -= 1u;
  }
  while ((v - (y * y)) > (2u * y)) {
    y += 1u;
  }
  /* y = floor(sqrt(v)), so the remainder is at most 2 y, and this at most 2^32. */
  below = ((v - (y * y)) << 31) / y;
  return (y << 32) + (below - (below >> 32));
}
