/* SPDX-License-Identifier: MIT-0
 * bfloat16, computed with as float: see tarn_types_f32.h. */
#ifndef TARN_TYPES_BF16_H
#define TARN_TYPES_BF16_H

#include "tarn.h"
#include "tarn_math_bfloat16.h"

typedef uint16_t tarn_bf16;
typedef float tarn_acc_bf16;

#define tarn_load_bf16(stored) tarn_bf16_to_f32(stored)
#define tarn_store_bf16(value) tarn_f32_to_bf16(value)
#define tarn_lowest_bf16 (-TARN_INF_F)
#define tarn_highest_bf16 TARN_INF_F
#define tarn_is_nan_bf16(value) ((value) != (value))

TARN_FORCE_INLINE tarn_acc_bf16 tarn_clamp_bf16(tarn_acc_bf16 v, tarn_acc_bf16 lo, tarn_acc_bf16 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
