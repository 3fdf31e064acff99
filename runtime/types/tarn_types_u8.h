/* SPDX-License-Identifier: MIT-0
 * uint8: see tarn_types_f32.h. */
#ifndef TARN_TYPES_U8_H
#define TARN_TYPES_U8_H

#include "tarn.h"

typedef uint8_t tarn_u8;
typedef uint32_t tarn_acc_u8;

#define tarn_load_u8(stored) (stored)
#define tarn_store_u8(value) ((uint8_t)(value))
#define tarn_lowest_u8 0u
#define tarn_highest_u8 UINT8_MAX
#define tarn_is_nan_u8(value) 0

TARN_FORCE_INLINE tarn_acc_u8 tarn_clamp_u8(tarn_acc_u8 v, tarn_acc_u8 lo, tarn_acc_u8 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#endif
