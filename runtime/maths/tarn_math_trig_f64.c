/* tarn_math_trig_f64.c - reduction of any double modulo pi/2, after M. Payne and R. Hanek, "Radian reduction for
 * trigonometric functions", SIGNUM Newsletter 18, 1983: only those bits of 2/pi take part that can change the quadrant
 * or the fraction. */
#include "tarn_math_trig_f64.h"

#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"

/* 2/pi behind 64 bits of 0, 32 bits each. */
static const uint32_t tarn_two_over_pi_f64[39] = {
    0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u};

/* (1 - sin(r) / r) / z and (1 - cos(r)) / z, z = r^2: minimax of degree 6, errors of sine and cosine 2^-68, 2^-64. */
static const uint64_t tarn_sin_tail_f64[7] = {0x0aaaaaaaaaaaaaa9u, 0xff777777777777a9u, 0x000340340340314eu,
                                              0xfffff4710e2d667cu, 0x0000001ae64528d8u, 0xffffffffd3dbee77u,
                                              0x0000000000355449u};
static const uint64_t tarn_cos_tail_f64[7] = {0x1fffffffffffffe9u, 0xfd555555555558e1u, 0x0016c16c16c13ba6u,
                                              0xffff97f97f99349fu, 0x00000127e4f72b73u, 0xfffffffdc22d2674u,
                                              0x00000000031eea87u};

TARN_API uint32_t tarn_trig_reduce_f64(uint64_t bits, uint32_t* b, uint64_t* m) {
  const uint32_t m_high = ((uint32_t)(bits >> 32) & 0x000fffffu) | 0x00100000u;
  const uint32_t m_low = (uint32_t)bits;
  /* x = mantissa * 2^(exponent - 1075). Bits of 2/pi that weigh 4 or more after that scaling add whole turns. */
  const uint32_t first = (uint32_t)(bits >> 52) - 1013u;
  const uint32_t* words = &tarn_two_over_pi_f64[first >> 5];
  const uint32_t shift = first & 31u;
  uint32_t product[6]; /* mantissa times the 192 bits that follow, modulo 2^192: quadrants modulo 4 in Q190 */
  uint64_t before = 0; /* the product of the word before with m_high */
  uint64_t carry = 0;
  uint64_t high;
  uint64_t low;
  uint32_t q;
  uint32_t i;

  for (i = 6u; i > 0u; --i) {
    const uint32_t word = (shift != 0u) ? ((words[i - 1u] << shift) | (words[i] >> (32u - shift))) : words[i - 1u];
    const uint64_t here = (uint64_t)m_low * word;
    carry += (here & 0xffffffffu) + (before & 0xffffffffu);
    product[i - 1u] = (uint32_t)carry;
    carry = (carry >> 32) + (here >> 32) + (before >> 32);
    before = (uint64_t)m_high * word;
  }
  q = product[0] >> 30;
  high = ((uint64_t)product[0] << 34) | ((uint64_t)product[1] << 2) | (product[2] >> 30); /* the fraction in Q128 */
  low = ((uint64_t)product[2] << 34) | ((uint64_t)product[3] << 2) | (product[4] >> 30);
  if ((high >> 63) != 0u) {
    low = (uint64_t)0 - low;
    high = (uint64_t)0 - high - ((low != 0u) ? 1u : 0u);
    q = ((q + 1u) & 3u) + 4u;
  }
  *b = 1022u;
  if (high == 0u) { /* no double comes that close to a multiple of pi/2; kept for the shifts below */
    high = low | 1u;
    low = 0;
    *b -= 64u;
  }
  i = tarn_clz_u64(high);
  if (i != 0u) {
    high = (high << i) | (low >> (64u - i));
  }
  *b -= i;
  *m = tarn_f64_normalise(tarn_mulhi_u64(high, 0xc90fdaa22168c234u), b); /* pi/2 in Q63 */
  return q;
}

TARN_API uint64_t tarn_sin_parts_f64(uint32_t* b, uint64_t m) {
  const uint64_t z = tarn_square_q64(*b, m);
  const uint64_t deficit = tarn_mulhi_u64(z, tarn_poly_q62(tarn_sin_tail_f64, 7u, z)) << 2;
  return tarn_f64_normalise(m - tarn_mulhi_u64(m, deficit), b);
}

TARN_API uint64_t tarn_cos_q64(uint32_t b, uint64_t m) {
  const uint64_t z = tarn_square_q64(b, m);
  return ~(tarn_mulhi_u64(z, tarn_poly_q62(tarn_cos_tail_f64, 7u, z)) << 2);
}
