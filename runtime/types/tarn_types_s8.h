/* SPDX-License-Identifier: MIT-0
 * int8: see tarn_types_f32.h. */
#ifndef TARN_TYPES_S8_H
#define TARN_TYPES_S8_H

#include "tarn.h"

typedef int8_t tarn_s8;
typedef int32_t tarn_acc_s8;

#define tarn_load_s8(stored) (stored)
#define tarn_store_s8(value) ((int8_t)(value))
#define tarn_lowest_s8 INT8_MIN
#define tarn_highest_s8 INT8_MAX
#define tarn_is_nan_s8(value) 0

TARN_FORCE_INLINE tarn_acc_s8 tarn_clamp_s8(tarn_acc_s8 v, tarn_acc_s8 lo, tarn_acc_s8 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
