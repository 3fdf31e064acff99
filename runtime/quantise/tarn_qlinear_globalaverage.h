/* SPDX-License-Identifier: MIT-0
 * Averages of whole images of 8-bit codes (com.microsoft, QLinearGlobalAveragePool). */
#ifndef TARN_QLINEAR_GLOBALAVERAGE_H
#define TARN_QLINEAR_GLOBALAVERAGE_H

#include "tarn.h"

TARN_BEGIN_C

/* x: [outer][count][inner]; y: [outer][inner]; lo, hi: the range of the codes. */
typedef struct {
    int32_t outer, count, inner, lo, hi;
} tarn_qlinear_globalaverage_params;

/* y = round(sum of (x - x_zero) * (x_scale / (y_scale * count))) + y_zero. Zero points: NULL for 0. y shares no memory with x. */
TARN_API void tarn_qlinear_globalaverage(const tarn_qlinear_globalaverage_params *p, const void *x, const float *x_scale,
                                         const void *x_zero, const float *y_scale, const void *y_zero, void *y);

TARN_END_C
#endif
