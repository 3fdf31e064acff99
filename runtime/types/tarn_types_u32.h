/* SPDX-License-Identifier: MIT-0
 * uint32: see tarn_types_f32.h. */
#ifndef TARN_TYPES_U32_H
#define TARN_TYPES_U32_H

#include "tarn.h"

typedef uint32_t tarn_u32;
typedef uint32_t tarn_acc_u32;

#define tarn_load_u32(stored) (stored)
#define tarn_store_u32(value) ((uint32_t)(value))
#define tarn_lowest_u32 0u
#define tarn_highest_u32 UINT32_MAX
#define tarn_is_nan_u32(value) 0

TARN_FORCE_INLINE tarn_acc_u32 tarn_clamp_u32(tarn_acc_u32 v, tarn_acc_u32 lo, tarn_acc_u32 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
