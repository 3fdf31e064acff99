/* SPDX-License-Identifier: MIT-0
 * Real numbers that integers are weighted and summed as. */
#ifndef TARN_REAL_S32_H
#define TARN_REAL_S32_H

#include "tarn_types_s32.h"

typedef float tarn_real_s32;

#define tarn_real_load_s32(stored) ((float)(stored))

/* The integer next to it towards zero, as ONNX Runtime has it; the nearer end of the range beyond it. */
TARN_INLINE tarn_s32 tarn_real_store_s32(float value)
{
    if (!(value > (float)tarn_lowest_s32)) {
        return tarn_store_s32(tarn_lowest_s32);
    }
    if (value >= (float)tarn_highest_s32) {
        return tarn_store_s32(tarn_highest_s32);
    }
    return tarn_store_s32((tarn_acc_s32)value);
}

#endif
