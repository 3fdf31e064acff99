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
