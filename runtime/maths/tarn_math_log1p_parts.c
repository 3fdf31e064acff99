/* tarn_math_log1p_parts.c - u p(u) where 1 + u would lose bits of u, e ln 2 + f p(f) with 1 + u = 2^e (1 + f)
 * elsewhere. */
#include "tarn_math_log1p_parts.h"

#include "tarn_math_log_q54.h"

/* e ln 2 + log(1 + f) as Q55 in two's complement; |e| < 256 in two's complement, f as for the slope. */
static uint64_t tarn_log_q55(uint32_t e, uint32_t f) {
  const uint64_t ln2 = (uint64_t)0x0058b90bfbe8e7bdu;
  const uint32_t negative = f >> 31;
  const uint64_t product = ((uint64_t)((negative != 0u) ? (0u - f) : f) * tarn_log1p_slope_q31(f)) >> 8;
  const uint64_t whole = ((e >> 31) != 0u) ? ((uint64_t)0 - ((0u - e) * ln2)) : (e * ln2);
  return (negative != 0u) ? (whole - product) : (whole + product);
}

/* 1 + u, 0.29 < |u|, as returned * 2^(*e-31) with the top bit set. */
static uint32_t tarn_log1p_sum(uint32_t sign, uint32_t b, uint32_t m, uint32_t* e) {
  uint32_t w;
  if (sign != 0u) {
    const uint32_t difference = 0u - (m >> (125u - b)); /* Q32 */
    const uint32_t shift = tarn_clz_u32(difference);
    *e = ~shift; /* -1 - shift */
    return difference << shift;
  }
  if (b < 126u) {
    *e = 0;
    return 0x80000000u + (m >> (126u - b));
  }
  *e = b - 126u;
  if (*e > 31u) {
    return m;
  }
  w = m + (0x80000000u >> *e);
  if (w < m) { /* a carry out of the top bit */
    *e += 1u;
    w = (w >> 1) | 0x80000000u;
  }
  return w;
}

TARN_API uint32_t tarn_log1p_parts_f32(uint32_t sign, uint32_t* b, uint32_t m) {
  uint32_t m_now = m;
  uint32_t shift;
  uint32_t e;
  uint64_t v;

  if ((*b < 100u) || (*b > 0x80000000u)) { /* |u| < 2^-26 */
    return m_now;
  }
  if (*b < 126u) {
    const uint32_t u = m_now >> (125u - *b); /* Q32 */
    if (u < ((sign != 0u) ? TARN_LOG_FIRST_Q32 : 0x6a09e600u)) {
      m_now = tarn_mulhi_u32(m_now, tarn_log1p_slope_q31((sign != 0u) ? (0u - u) : u));
      shift = tarn_clz_u32(m_now);
      *b += 1u - shift;
      return m_now << shift;
    }
  }
  m_now = tarn_log1p_sum(sign, *b, m_now, &e);
  if (m_now > 0xb504f333u) { /* sqrt(2) in Q31: halve, and f is negative */
    e += 1u;
  } else {
    m_now <<= 1;
  }
  v = tarn_log_q55(e, m_now);
  if (sign != 0u) {
    v = (uint64_t)0 - v;
  }
  shift = tarn_clz_u64(v);
  *b = 134u - shift;
  return (uint32_t)((v << shift) >> 32);
}
