/* tarn_math_log_parts_f64.c - e ln 2 + f p(f), with f p(f) alone where that is all there is. */
#include "tarn_math_log_parts_f64.h"

#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"

#define TARN_LOG_FIRST_Q64 0x4afb0ccc06219b7cu /* 1 - sqrt(1/2) */
#define TARN_LOG_END_Q64 0x6a09e667f3bcc908u   /* sqrt(2) - 1 */

/* Minimax of degree 21 in 5/4 (f + 1 - sqrt(1/2)), relative error 2^-59.4. The factor keeps all coefficients below 2.
 */
static const uint64_t tarn_log1p_slope_f64[22] = {
    0x4bbacc516f2ce512u, 0xd7a1600fd84df8fau, 0x1d94ee62c3bcacd5u, 0xe751f63fb14b142eu, 0x16177e88f391dce8u,
    0xeb5550e6ae4cba7fu, 0x13ed1657808efdb4u, 0xec5ca5550774d685u, 0x13ad80407265a9cdu, 0xec088f1cb4e49a15u,
    0x146d228aa243bdaeu, 0xeb16e47531b4aed3u, 0x151bb05a027ed168u, 0xeb81dbc5fd9fb7cfu, 0x127b14b85f131d6fu,
    0xf12348a102b13f58u, 0x0a3478f0b01268d5u, 0xfa4957ee5193fb16u, 0x0278fd86fe9077e6u, 0xff3b19d8070a679au,
    0x0026f0e0044739d6u, 0xfffc56583ba12ea8u};

TARN_API uint64_t tarn_log1p_slope_q62(uint64_t f) {
  const uint64_t u = f + TARN_LOG_FIRST_Q64;
  return tarn_poly_q62(tarn_log1p_slope_f64, 22u, u + (u >> 2));
}

TARN_API uint64_t tarn_log_parts_f64(uint32_t e, uint64_t w, uint32_t* sign, uint32_t* b) {
  uint32_t e_now = e;
  uint64_t f = w << 1;
  uint64_t slope;
  uint64_t low;
  uint64_t high;
  uint32_t negative;

  if (w > 0xb504f333f9de6484u) { /* sqrt(2) in Q63: halve, and f is negative */
    f = w;
    e_now += 1u;
  }
  slope = tarn_log1p_slope_q62(f);
  negative = (uint32_t)(f >> 63);
  if (negative != 0u) {
    f = (uint64_t)0 - f;
  }
  if (e_now == 0u) {
    *sign = negative;
    *b = 1021u;
    if (f == 0u) {
      return 0u;
    }
    f = tarn_mulhi_u64(tarn_f64_normalise(f, b), slope);
    *b += 2u;
    return tarn_f64_normalise(f, b);
  }
  f = tarn_mulhi_u64(f, slope) << 2; /* Q64 */
  *sign = e_now >> 31;
  if (*sign != 0u) {
    e_now = 0u - e_now;
  }
  low = e_now * (uint64_t)0xb17217f7d1cf79acu; /* |e| ln 2 in 64 + 64 bits */
  high = tarn_mulhi_u64(e_now, 0xb17217f7d1cf79acu);
  if (*sign == negative) {
    low += f;
    high += (low < f) ? 1u : 0u;
  } else {
    high -= (low < f) ? 1u : 0u;
    low -= f;
  }
  if (high == 0u) {
    *b = 1021u;
    return tarn_f64_normalise(low, b);
  }
  *b = 1085u;
  high = tarn_f64_normalise(high, b);
  return high | (low >> (*b - 1021u));
}

TARN_API uint64_t tarn_log1p_parts_f64(uint32_t sign, uint32_t* b, uint64_t m) {
  uint64_t m_now = m;
  uint32_t e;
  uint64_t w;

  if ((*b < 962u) || (*b > 0x80000000u)) { /* |u| < 2^-60 */
    return m_now;
  }
  if (*b < 1022u) {
    const uint64_t u = m_now >> (1021u - *b); /* Q64 */
    if (u < ((sign != 0u) ? TARN_LOG_FIRST_Q64 : TARN_LOG_END_Q64)) {
      m_now = tarn_mulhi_u64(m_now, tarn_log1p_slope_q62((sign != 0u) ? ((uint64_t)0 - u) : u));
      *b += 2u;
      return tarn_f64_normalise(m_now, b);
    }
    e = 0;
    w = 0x8000000000000000u + (u >> 1);
    if (sign != 0u) {
      e = 0xffffffffu; /* -1 */
      w = tarn_f64_normalise((uint64_t)0 - u, &e);
    }
  } else {
    e = *b - 1022u;
    w = m_now + tarn_shift_u64(0x8000000000000000u, e);
    if (w < m_now) { /* a carry out of the top bit */
      w = (w >> 1) | 0x8000000000000000u;
      e += 1u;
    }
  }
  return tarn_log_parts_f64(e, w, &sign, b);
}
