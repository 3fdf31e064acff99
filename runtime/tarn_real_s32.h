/* SPDX-License-Identifier: MIT-0
 * Real numbers that integers are weighted and summed as. */
#ifndef TARN_REAL_S32_H
#define TARN_REAL_S32_H

#include "tarn_types_s32.h"

typedef float tarn_real_s32;

#define tarn_real_load_s32(stored) ((float)(stored))

/* The nearest integer, of two the even one; the nearer end of the range beyond it. */
TARN_INLINE tarn_s32 tarn_real_store_s32(float value)
{
    tarn_acc_s32 whole;
    float rest;
    if (!(value > (float)tarn_lowest_s32)) {
        return tarn_store_s32(tarn_lowest_s32);
    }
    if (value >= (float)tarn_highest_s32) {
        return tarn_store_s32(tarn_highest_s32);
    }
    whole = (tarn_acc_s32)value;
    rest = value - (float)whole;
    if (rest > 0.5f || (rest >= 0.5f && whole % 2 != 0)) {
        ++whole;
    }
    if (rest < -0.5f || (rest <= -0.5f && whole % 2 != 0)) {
        --whole;
    }
    return tarn_store_s32(whole);
}

#endif
