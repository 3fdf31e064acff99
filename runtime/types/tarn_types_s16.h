/* SPDX-License-Identifier: MIT-0
 * int16: see tarn_types_f32.h. */
#ifndef TARN_TYPES_S16_H
#define TARN_TYPES_S16_H

#include "tarn.h"

typedef int16_t tarn_s16;
typedef int32_t tarn_acc_s16;

#define tarn_load_s16(stored) (stored)
#define tarn_store_s16(value) ((int16_t)(value))
#define tarn_lowest_s16 INT16_MIN
#define tarn_highest_s16 INT16_MAX
#define tarn_is_nan_s16(value) 0

TARN_FORCE_INLINE tarn_acc_s16 tarn_clamp_s16(tarn_acc_s16 v, tarn_acc_s16 lo, tarn_acc_s16 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
