/* SPDX-License-Identifier: MIT-0
 * float64: see tarn_types_f32.h. */
#ifndef TARN_TYPES_F64_H
#define TARN_TYPES_F64_H

#include "tarn.h"

typedef double tarn_f64;
typedef double tarn_acc_f64;

#define tarn_load_f64(stored) (stored)
#define tarn_store_f64(value) (value)
#define tarn_lowest_f64 (-TARN_INF_D)
#define tarn_highest_f64 TARN_INF_D
#define tarn_is_nan_f64(value) ((value) != (value))

TARN_FORCE_INLINE tarn_acc_f64 tarn_clamp_f64(tarn_acc_f64 v, tarn_acc_f64 lo, tarn_acc_f64 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
