/* SPDX-License-Identifier: MIT-0
 * int32: see tarn_types_f32.h. */
#ifndef TARN_TYPES_S32_H
#define TARN_TYPES_S32_H

#include "tarn.h"

typedef int32_t tarn_s32;
typedef int32_t tarn_acc_s32;

#define tarn_load_s32(stored) (stored)
#define tarn_store_s32(value) ((int32_t)(value))
#define tarn_lowest_s32 INT32_MIN
#define tarn_highest_s32 INT32_MAX
#define tarn_is_nan_s32(value) 0

TARN_FORCE_INLINE tarn_acc_s32 tarn_clamp_s32(tarn_acc_s32 v, tarn_acc_s32 lo, tarn_acc_s32 hi)
{
    tarn_acc_s32 v_now = v;
    v_now = (v_now < lo) ? lo : v_now;
    return (v_now > hi) ? hi : v_now;
}

#endif
