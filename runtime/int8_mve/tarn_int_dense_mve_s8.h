/* SPDX-License-Identifier: MIT-0
 * tarn_int_dense_s8 for processors with sixteen products of codes at a time. */
#ifndef TARN_INT_DENSE_MVE_S8_H
#define TARN_INT_DENSE_MVE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;
} tarn_int_dense_mve_s8_params;

/* w: [ceil(outputs/4)][ceil(inputs/16)][4][16], zero beyond inputs and outputs; w_zero: NULL, or the negative zero points of the
 * weights, four by four; q as for tarn_int_mve_dense(); exceptions: see tarn_requant.h. x is read until the last output is written. */
TARN_API void tarn_int_dense_mve_s8(const tarn_int_dense_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                    const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y);

TARN_END_C
#endif
