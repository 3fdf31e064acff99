/* tarn_math_fixed_f64.h - fixed-point pieces of the double functions: as tarn_math_fixed.h, with 64 bits for 53.
 * Numbers on their way in and out are m * 2^(b-1085), 2^63 <= m; b is one less than the exponent field of a double,
 * negative b are two's complement. */
#ifndef TARN_MATH_FIXED_F64_H
#define TARN_MATH_FIXED_F64_H

#include "tarn.h"
#include "tarn_math_bits.h"
#include "tarn_math_fixed.h"
#include "tarn_math_mulhi_u64.h"
#include "tarn_math_round_f64.h"

TARN_STATIC_ASSERT(sizeof(double) == 8, double_has_64_bits);

/* The parts of the positive finite double with these bits; not for 0. */
TARN_INLINE uint64_t tarn_f64_split(uint64_t bits, uint32_t* b) {
  const uint32_t exponent = (uint32_t)(bits >> 52);
  if (exponent == 0u) {
    const uint32_t shift = tarn_clz_u64(bits);
    *b = 11u - shift;
    return bits << shift;
  }
  *b = exponent - 1u;
  return (bits << 11) | 0x8000000000000000u;
}

/* Shifts the top bit of m to its place; m is not 0. */
TARN_INLINE uint64_t tarn_f64_normalise(uint64_t m, uint32_t* b) {
  const uint32_t shift = tarn_clz_u64(m);
  *b -= shift;
  return m << shift;
}

/* v >> shift for any shift. */
TARN_INLINE uint64_t tarn_shift_u64(uint64_t v, uint32_t shift) { return (shift < 64u) ? (v >> shift) : 0u; }

/* The sum of m * 2^(*b-1085) and n * 2^(c-1085) in the same form. */
TARN_INLINE uint64_t tarn_add_parts_f64(uint64_t m, uint32_t* b, uint64_t n, uint32_t c) {
  uint64_t m_now = m;
  uint64_t n_now = n;
  if ((c - *b) < 0x80000000u) { /* c >= *b: let the larger number keep its place */
    m_now = tarn_shift_u64(m_now, c - *b);
    *b = c;
  } else {
    n_now = tarn_shift_u64(n_now, *b - c);
  }
  m_now += n_now;
  if (m_now < n_now) { /* a carry out of the top bit */
    m_now = (m_now >> 1) | 0x8000000000000000u;
    *b += 1u;
  }
  return m_now;
}

/* The square in Q64 of m * 2^(b-1085) < 1; 0 when the number is below 2^-31. */
TARN_INLINE uint64_t tarn_square_q64(uint32_t b, uint64_t m) {
  return ((b - 991u) > 30u) ? 0u : (tarn_mulhi_u64(m, m) >> (2042u - (2u * b)));
}

#endif /* TARN_MATH_FIXED_F64_H */
