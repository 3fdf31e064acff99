/* SPDX-License-Identifier: MIT-0
 * float32: how kernels written for one element type store, compute and compare. Kernels for the other types are this
 * type's text with the suffix replaced, where they use nothing but these names. */
#ifndef TARN_TYPES_F32_H
#define TARN_TYPES_F32_H

#include "tarn.h"

typedef float tarn_f32;      /* as stored */
typedef float tarn_acc_f32;  /* as computed with */

#define tarn_load_f32(stored) (stored)
#define tarn_store_f32(value) (value)
/* Four of them at once, where the processor has vectors of four and the compiler a type for them: the same sums, the same
 * bits. tarn_four_packed_f32: as they lie between floats. */
#if TARN_GNU && (defined(__SSE2__) || defined(__aarch64__))
#define TARN_FOURS_F32 1
typedef float tarn_four_f32 __attribute__((vector_size(16)));
typedef float tarn_four_packed_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t tarn_four_mask_f32 __attribute__((vector_size(16))); /* of a comparison: all bits of a lane or none */
#endif

#define tarn_lowest_f32 (-TARN_INF_F)  /* no value is below; minus infinity */
#define tarn_highest_f32 TARN_INF_F
#define tarn_is_nan_f32(value) ((value) != (value))

/* NaN passes through. */
TARN_FORCE_INLINE tarn_acc_f32 tarn_clamp_f32(tarn_acc_f32 v, tarn_acc_f32 lo, tarn_acc_f32 hi)
{
    tarn_acc_f32 v_now = v;
    v_now = (v_now < lo) ? lo : v_now;
    return (v_now > hi) ? hi : v_now;
}

#endif
