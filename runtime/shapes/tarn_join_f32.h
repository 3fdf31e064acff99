/* SPDX-License-Identifier: MIT-0
 * Joins an update with the element that is there. */
#ifndef TARN_JOIN_F32_H
#define TARN_JOIN_F32_H

#include "tarn_join.h"
#include "tarn_types_f32.h"

/* The lesser and the greater of two numbers are NaN if one of them is. */
TARN_INLINE tarn_f32 tarn_join_f32(int32_t mode, tarn_f32 there, tarn_f32 update)
{
    const tarn_acc_f32 a = tarn_load_f32(there);
    const tarn_acc_f32 b = tarn_load_f32(update);
    switch (mode) {
    case TARN_JOIN_ADD:
        return tarn_store_f32(a + b);
    case TARN_JOIN_MUL:
        return tarn_store_f32(a * b);
    case TARN_JOIN_MIN:
        return (a < b) || tarn_is_nan_f32(a) ? there : update;
    default:
        return (a > b) || tarn_is_nan_f32(a) ? there : update;
    }
}

#endif
