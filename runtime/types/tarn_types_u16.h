/* SPDX-License-Identifier: MIT-0
 * uint16: see tarn_types_f32.h. */
#ifndef TARN_TYPES_U16_H
#define TARN_TYPES_U16_H

#include "tarn.h"

typedef uint16_t tarn_u16;
typedef uint32_t tarn_acc_u16;

#define tarn_load_u16(stored) (stored)
#define tarn_store_u16(value) ((uint16_t)(value))
#define tarn_lowest_u16 0u
#define tarn_highest_u16 UINT16_MAX
#define tarn_is_nan_u16(value) 0

TARN_FORCE_INLINE tarn_acc_u16 tarn_clamp_u16(tarn_acc_u16 v, tarn_acc_u16 lo, tarn_acc_u16 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
