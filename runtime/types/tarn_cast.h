/* SPDX-License-Identifier: MIT-0
 * What conversions between element types have in common. */
#ifndef TARN_CAST_H
#define TARN_CAST_H

#include "tarn.h"

/* `outer` runs of `inner` elements; the runs of x and y begin x_pitch and y_pitch elements apart. Types of less than a byte
 * are packed from the lowest bits up, and there is one run. saturate and round: for results in 8 bits or less that are
 * floating-point, see tarn_math_f8e8m0.h. */
typedef struct {
    int32_t outer, inner, x_pitch, y_pitch;
    uint32_t saturate, round;
} tarn_cast_params;

#endif
