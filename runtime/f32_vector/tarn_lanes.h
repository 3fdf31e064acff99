/* SPDX-License-Identifier: MIT-0
 * Vectors of four, eight and sixteen floats. Where the processor has vectors and the compiler types for them they are one,
 * kept in several registers if those are narrower; elsewhere an array. TARN_MAC_*(s, w, x): s += w * x, fused where the processor has one
 * instruction for it, else rounded twice; the same whatever the compiler and its dialect. */
#ifndef TARN_LANES_H
#define TARN_LANES_H

#include "tarn_types_f32.h"

#define TARN_LANES_V4 4
#define TARN_LANES_V8 8
#define TARN_LANES_V16 16

/* TARN_NO_VECTORS: arrays also where the processor has vectors. */
#if TARN_GNU && !defined(TARN_NO_VECTORS) && (defined(__SSE2__) || defined(__aarch64__))
#define TARN_VECTORS 1
#else
#define TARN_VECTORS 0
#endif

#if TARN_VECTORS

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float tarn_lanes_v4 __attribute__((vector_size(16)));
typedef float tarn_lanes_v8 __attribute__((vector_size(32)));
typedef float tarn_lanes_v16 __attribute__((vector_size(64)));
/* Comparisons give these: all bits of a lane or none. */
typedef int32_t tarn_mask_v4 __attribute__((vector_size(16)));
typedef int32_t tarn_mask_v8 __attribute__((vector_size(32)));
typedef int32_t tarn_mask_v16 __attribute__((vector_size(64)));
/* As they lie in memory: between floats, at any float's address. */
typedef float tarn_packed_v4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float tarn_packed_v8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float tarn_packed_v16 __attribute__((vector_size(64), aligned(4), may_alias));

#define TARN_ALL_V4(x) {(x), (x), (x), (x)}
#define TARN_ALL_V8(x) {(x), (x), (x), (x), (x), (x), (x), (x)}
#define TARN_ALL_V16(x) {(x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x)}

#if defined(__FMA__)
#define TARN_MAC_V4(s, w, x) ((s) = _mm_fmadd_ps((w), (x), (s)))
#define TARN_MAC_V8(s, w, x) ((s) = _mm256_fmadd_ps((w), (x), (s)))
#elif defined(__aarch64__)
#define TARN_MAC_V4(s, w, x) ((s) = vfmaq_f32((s), (w), (x)))
#else
#define TARN_MAC_V4(s, w, x) ((s) += (w) * (x))
#endif
#if !defined(TARN_MAC_V8)
#define TARN_MAC_V8(s, w, x) ((s) += (w) * (x))
#endif
#if defined(__AVX512F__)
#define TARN_MAC_V16(s, w, x) ((s) = _mm512_fmadd_ps((w), (x), (s)))
#else
#define TARN_MAC_V16(s, w, x) ((s) += (w) * (x))
#endif

/* TARN_BOUND_*(v, lo, hi): v is clamped; NaN passes through. The second operand stands where neither is the larger or one is NaN. */
#if defined(__FMA__)
#define TARN_BOUND_V4(v, lo, hi) ((v) = _mm_min_ps((hi), _mm_max_ps((lo), (v))))
#define TARN_BOUND_V8(v, lo, hi) ((v) = _mm256_min_ps((hi), _mm256_max_ps((lo), (v))))
#endif
#if defined(__AVX512F__)
#define TARN_BOUND_V16(v, lo, hi) ((v) = _mm512_min_ps((hi), _mm512_max_ps((lo), (v))))
#endif

/* The first `count` lanes from memory, the others zero; and to memory, which stays what it is beyond them. */
#if defined(__FMA__) && defined(__AVX2__)
#define TARN_FIRST_V4(count) _mm_cmpgt_epi32(_mm_set1_epi32(count), _mm_setr_epi32(0, 1, 2, 3))
#define TARN_FIRST_V8(count) _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define TARN_GET_SOME_V4(to, from, count) ((to) = _mm_maskload_ps((from), TARN_FIRST_V4(count)))
#define TARN_GET_SOME_V8(to, from, count) ((to) = _mm256_maskload_ps((from), TARN_FIRST_V8(count)))
#define TARN_PUT_SOME_V4(to, from, count) _mm_maskstore_ps((to), TARN_FIRST_V4(count), (from))
#define TARN_PUT_SOME_V8(to, from, count) _mm256_maskstore_ps((to), TARN_FIRST_V8(count), (from))
#endif
#if defined(__AVX512F__)
#define TARN_FIRST_V16(count) ((__mmask16)((1u << (uint32_t)(count)) - 1u))
#define TARN_GET_SOME_V16(to, from, count) ((to) = _mm512_maskz_loadu_ps(TARN_FIRST_V16(count), (from)))
#define TARN_PUT_SOME_V16(to, from, count) _mm512_mask_storeu_ps((to), TARN_FIRST_V16(count), (from))
#endif

#else

typedef struct {
    float at[TARN_LANES_V4];
} tarn_lanes_v4;
typedef struct {
    float at[TARN_LANES_V8];
} tarn_lanes_v8;
typedef struct {
    float at[TARN_LANES_V16];
} tarn_lanes_v16;

#endif

#endif
