/* SPDX-License-Identifier: MIT-0
 * uint64: see tarn_types_f32.h. */
#ifndef TARN_TYPES_U64_H
#define TARN_TYPES_U64_H

#include "tarn.h"

typedef uint64_t tarn_u64;
typedef uint64_t tarn_acc_u64;

#define tarn_load_u64(stored) (stored)
#define tarn_store_u64(value) ((uint64_t)(value))
#define tarn_lowest_u64 0u
#define tarn_highest_u64 UINT64_MAX
#define tarn_is_nan_u64(value) 0

TARN_FORCE_INLINE tarn_acc_u64 tarn_clamp_u64(tarn_acc_u64 v, tarn_acc_u64 lo, tarn_acc_u64 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
