/* SPDX-License-Identifier: MIT-0
 * float16, computed with as float: see tarn_types_f32.h. */
#ifndef TARN_TYPES_F16_H
#define TARN_TYPES_F16_H

#include "tarn.h"
#include "tarn_math_half.h"

typedef uint16_t tarn_f16;
typedef float tarn_acc_f16;

#define tarn_load_f16(stored) tarn_f16_to_f32(stored)
#define tarn_store_f16(value) tarn_f32_to_f16(value)
#define tarn_lowest_f16 (-TARN_INF_F)
#define tarn_highest_f16 TARN_INF_F
#define tarn_is_nan_f16(value) ((value) != (value))

TARN_FORCE_INLINE tarn_acc_f16 tarn_clamp_f16(tarn_acc_f16 v, tarn_acc_f16 lo, tarn_acc_f16 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
