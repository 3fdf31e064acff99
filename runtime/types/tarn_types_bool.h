/* SPDX-License-Identifier: MIT-0
 * bool, 0 or 1: see tarn_types_f32.h. */
#ifndef TARN_TYPES_BOOL_H
#define TARN_TYPES_BOOL_H

#include "tarn.h"

typedef uint8_t tarn_bool;
typedef uint32_t tarn_acc_bool;

#define tarn_load_bool(stored) (stored)
#define tarn_store_bool(value) ((uint8_t)((value) != 0u))
#define tarn_lowest_bool 0u
#define tarn_highest_bool 1u
#define tarn_is_nan_bool(value) 0

TARN_FORCE_INLINE tarn_acc_bool tarn_clamp_bool(tarn_acc_bool v, tarn_acc_bool lo, tarn_acc_bool hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
