/* tarn_math_trig_f32.c - reduction of any float modulo pi/2, after M. Payne and R. Hanek, "Radian reduction for
 * trigonometric functions", SIGNUM Newsletter 18, 1983: only those bits of 2/pi take part that can change the quadrant
 * or the fraction. */
#include "tarn_math_trig_f32.h"

/* 2/pi with its integer part, 32 bits each. */
static const uint32_t tarn_two_over_pi_f32[8] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                                 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

TARN_API uint32_t tarn_trig_reduce_f32(uint32_t bits, uint32_t* b, uint32_t* m) {
  const uint32_t mantissa = (bits & 0x007fffffu) | 0x00800000u;
  /* x = mantissa * 2^(exponent - 150). Bits of 2/pi that weigh 4 or more after that scaling add whole turns. */
  const uint32_t first = (bits >> 23) - 120u;
  const uint32_t* words = &tarn_two_over_pi_f32[first >> 5];
  const uint32_t shift = first & 31u;
  uint32_t high = words[0];
  uint32_t middle = words[1];
  uint32_t low = words[2];
  uint64_t turns;
  uint32_t q;

  if (shift != 0u) {
    high = (high << shift) | (middle >> (32u - shift));
    middle = (middle << shift) | (low >> (32u - shift));
    low = (low << shift) | (words[3] >> (32u - shift));
  }
  /* Quadrants in Q62, modulo 4. No float comes closer than 2^-31 to a multiple of pi/2. */
  turns = ((uint64_t)(mantissa * high) << 32) + ((uint64_t)mantissa * middle) + tarn_mulhi_u32(mantissa, low);
  q = (uint32_t)(turns >> 62);
  turns <<= 2; /* the fraction in Q64 */
  if ((turns >> 63) != 0u) {
    turns = (uint64_t)0 - turns;
    q = ((q + 1u) & 3u) + 4u;
  }
  *b = 126u - tarn_clz_u64(turns);
  *m = tarn_mulhi_u32((uint32_t)((turns << (126u - *b)) >> 32), 0xc90fdaa2u); /* pi/2 in Q31 */
  if (*m < 0x80000000u) {
    *m <<= 1;
    *b -= 1u;
  }
  return q;
}
