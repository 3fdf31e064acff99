/* tarn_math_avx2.h - what exp, sigmoid, tanh and erf of eight floats at a time share: the pieces of tarn_math_fixed.h and its kin with
 * AVX2, lane by lane, hence the same bits. Lanes that the functions for one float tell apart before they compute go to those. */
#ifndef TARN_MATH_AVX2_H
#define TARN_MATH_AVX2_H

#include "tarn.h"

/* Kernels written for float ask for this; their texts for other types find another name. */
#if TARN_USE_ASM && defined(__AVX2__) && !defined(TARN_USE_LIBM)
#define TARN_MANY_F32 1

#include <immintrin.h>

/* Not known to be a constant any more, it is made before a loop and kept, not made by three instructions at each use. */
TARN_FORCE_INLINE __m256i tarn_avx2_all(uint32_t v) {
  __m256i all = _mm256_set1_epi32((int32_t)v);
  __asm__("" : "+x"(all));
  return all;
}

/* Eight times the high word of an unsigned product. */
TARN_FORCE_INLINE __m256i tarn_avx2_mulhi_u32(__m256i a, __m256i b) {
  const __m256i even = _mm256_mul_epu32(a, b);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
  return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}

/* c + hi(a * b), c - hi(a * b). */
TARN_FORCE_INLINE __m256i tarn_avx2_horner(uint32_t c, __m256i a, __m256i b) {
  return _mm256_add_epi32(tarn_avx2_all(c), tarn_avx2_mulhi_u32(a, b));
}

TARN_FORCE_INLINE __m256i tarn_avx2_horner_less(uint32_t c, __m256i a, __m256i b) {
  return _mm256_sub_epi32(tarn_avx2_all(c), tarn_avx2_mulhi_u32(a, b));
}

/* tarn_exp2_q31(). */
TARN_FORCE_INLINE __m256i tarn_avx2_exp2_q31(__m256i f) {
  __m256i q = tarn_avx2_horner(0x0028dac8u, tarn_avx2_all(0x00071506u), f);
  q = tarn_avx2_horner(0x013d0b94u, q, f);
  q = tarn_avx2_horner(0x071a2444u, q, f);
  q = tarn_avx2_horner(0x1ebfd57au, q, f);
  q = tarn_avx2_horner(0x58b90ad8u, q, f);
  return tarn_avx2_horner(0x80000000u, q, f);
}

/* tarn_exp_scale_f32(): the high word of each sum, and the low one in *f. Shifts by 32 and more, or by less than 0, give 0. */
TARN_FORCE_INLINE __m256i tarn_avx2_exp_scale(__m256i bits, __m256i *f) {
  const __m256i m = _mm256_or_si256(_mm256_slli_epi32(bits, 8), tarn_avx2_all(0x80000000u));
  const __m256i factor = tarn_avx2_all(0xb8aa3b29u);
  const __m256i even = _mm256_mul_epu32(m, factor);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(m, 32), factor);
  const __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
  const __m256i low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
  const __m256i shift = _mm256_sub_epi32(tarn_avx2_all(157u), _mm256_srli_epi32(bits, 23));
  const __m256i back = _mm256_sub_epi32(tarn_avx2_all(32u), shift);
  *f = _mm256_or_si256(_mm256_or_si256(_mm256_sllv_epi32(high, back), _mm256_srlv_epi32(low, shift)),
                       _mm256_srlv_epi32(high, _mm256_sub_epi32(shift, tarn_avx2_all(32u))));
  return _mm256_srlv_epi32(high, shift);
}

/* Both words of minus a number. */
TARN_FORCE_INLINE __m256i tarn_avx2_negate(__m256i n, __m256i *f) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i carry = _mm256_cmpeq_epi32(*f, zero); /* -1 where the low word is 0 */
  *f = _mm256_sub_epi32(zero, *f);
  return _mm256_sub_epi32(_mm256_xor_si256(n, tarn_avx2_all(0xffffffffu)), carry);
}

/* tarn_recip_q32(): quotients of numbers of 32 and of 16 bits are exact in doubles but for their fraction. */
TARN_FORCE_INLINE __m256i tarn_avx2_recip_q32(__m256i d) {
  const __m256i by = _mm256_srli_epi32(d, 16);
  const __m256d all = _mm256_set1_pd(4294967295.0);
  const __m128i low = _mm256_cvttpd_epi32(_mm256_div_pd(all, _mm256_cvtepi32_pd(_mm256_castsi256_si128(by))));
  const __m128i high = _mm256_cvttpd_epi32(_mm256_div_pd(all, _mm256_cvtepi32_pd(_mm256_extracti128_si256(by, 1))));
  const __m256i y = _mm256_slli_epi32(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), 15);
  const __m256i rest = _mm256_sub_epi32(_mm256_setzero_si256(), tarn_avx2_mulhi_u32(d, y));
  return _mm256_slli_epi32(tarn_avx2_mulhi_u32(y, rest), 1);
}

/* tarn_f32_round_normal(). */
TARN_FORCE_INLINE __m256i tarn_avx2_round(__m256i sign, __m256i b, __m256i m) {
  const __m256i half = _mm256_and_si256(_mm256_srli_epi32(m, 7), tarn_avx2_all(1u));
  return _mm256_add_epi32(_mm256_add_epi32(_mm256_or_si256(sign, _mm256_slli_epi32(b, 23)), _mm256_srli_epi32(m, 8)), half);
}

/* Mantissas below 2^31 twice as large, and their exponents one less. */
TARN_FORCE_INLINE void tarn_avx2_normalise(__m256i *m, __m256i *b) {
  const __m256i small = _mm256_cmpgt_epi32(*m, tarn_avx2_all(0xffffffffu)); /* the highest bit is clear */
  *m = _mm256_blendv_epi8(*m, _mm256_slli_epi32(*m, 1), small);
  *b = _mm256_add_epi32(*b, small);
}

/* Are bits, without their sign, from `low` on and below `high`? */
TARN_FORCE_INLINE __m256i tarn_avx2_between(__m256i bits, uint32_t low, uint32_t high) {
  return _mm256_and_si256(_mm256_cmpgt_epi32(bits, tarn_avx2_all(low - 1u)), _mm256_cmpgt_epi32(tarn_avx2_all(high), bits));
}

/* n numbers become NAME of them. */
#define TARN_MATH_AVX2_MANY(NAME, LANES, ONE)                                                             \
    TARN_INLINE void NAME(float *v, int32_t n) {                                                          \
        int32_t i;                                                                                        \
        for (i = 0; i < n; i += 8) {                                                                      \
            const int32_t count = ((n - i) < 8) ? (n - i) : 8;                                            \
            __m256 x;                                                                                     \
            __m256i good;                                                                                 \
            __m256 y;                                                                                     \
            uint32_t left;                                                                                \
            float from[8];                                                                                \
            float to[8];                                                                                  \
            int32_t k;                                                                                    \
            if (count == 8) {                                                                             \
                x = _mm256_loadu_ps(v + i);                                                               \
            } else {                                                                                      \
                for (k = 0; k < 8; ++k) {                                                                 \
                    from[k] = (k < count) ? v[i + k] : 0.0f;                                              \
                }                                                                                         \
                x = _mm256_loadu_ps(from);                                                                \
            }                                                                                             \
            y = _mm256_castsi256_ps(LANES(_mm256_castps_si256(x), &good));                                \
            left = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(good)) ^ 255u;                        \
            if ((count == 8) && (left == 0u)) {                                                           \
                _mm256_storeu_ps(v + i, y);                                                               \
            } else {                                                                                      \
                _mm256_storeu_ps(to, y);                                                                  \
                for (k = 0; k < count; ++k) {                                                             \
                    v[i + k] = (((left >> k) & 1u) != 0u) ? ONE(v[i + k]) : to[k];                        \
                }                                                                                         \
            }                                                                                             \
        }                                                                                                 \
    }

#endif
#endif /* TARN_MATH_AVX2_H */
