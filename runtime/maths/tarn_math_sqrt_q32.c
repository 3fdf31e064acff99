/* tarn_math_sqrt_q32.c - two steps of Heron's rule to 16 bits, one division for the 16 bits below. */
#include "tarn_math_sqrt_q32.h"

TARN_API uint32_t tarn_sqrt_q32(uint32_t v) {
  /* A line within 5% of the root; each step squares the error, and none ends below the root. */
  uint32_t y = (v >> 17) + (v >> 19) + 0x5e00u;
  uint32_t below;

  y = (y + (v / y)) >> 1;
  y = (y + (v / y)) >> 1;
  if (y > 0xffffu) {
    y = 0xffffu;
  }
  if ((y * y) > v) {
    y -= 1u;
  }
  /* y = floor(sqrt(v)), so the remainder is at most 2 y, and this at most 2^16. */
  below = ((v - (y * y)) << 15) / y;
  return (y << 16) + (below - (below >> 16));
}
