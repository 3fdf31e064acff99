/* SPDX-License-Identifier: MIT-0
 * float32: how kernels written for one real type store, compute and clamp. Kernels for the other real types are this
 * text with the suffix replaced. */
#ifndef TARN_TYPES_F32_H
#define TARN_TYPES_F32_H

#include "tarn.h"

typedef float tarn_f32;      /* as stored */
typedef float tarn_acc_f32;  /* as computed with */

#define tarn_load_f32(stored) (stored)
#define tarn_store_f32(value) (value)

/* Below every number: minus infinity. */
#define tarn_lowest_f32 (-3.402823466e38f * 2.0f)

/* NaN passes through. */
TARN_INLINE tarn_acc_f32 tarn_clamp_f32(tarn_acc_f32 v, tarn_acc_f32 lo, tarn_acc_f32 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
