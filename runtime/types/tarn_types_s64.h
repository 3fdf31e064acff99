/* SPDX-License-Identifier: MIT-0
 * int64: see tarn_types_f32.h. */
#ifndef TARN_TYPES_S64_H
#define TARN_TYPES_S64_H

#include "tarn.h"

typedef int64_t tarn_s64;
typedef int64_t tarn_acc_s64;

#define tarn_load_s64(stored) (stored)
#define tarn_store_s64(value) ((int64_t)(value))
#define tarn_lowest_s64 INT64_MIN
#define tarn_highest_s64 INT64_MAX
#define tarn_is_nan_s64(value) 0

TARN_FORCE_INLINE tarn_acc_s64 tarn_clamp_s64(tarn_acc_s64 v, tarn_acc_s64 lo, tarn_acc_s64 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
