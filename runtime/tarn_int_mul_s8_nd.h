/* SPDX-License-Identifier: MIT-0
 * tarn_int_mul_s8 for operands that broadcast along several axes. */
#ifndef TARN_INT_MUL_S8_ND_H
#define TARN_INT_MUL_S8_ND_H

#include "tarn_int_mul_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_int_mul_s8_params run;
    int32_t rank, dims[6], a_stride[6], b_stride[6];    /* the axes above the run's */
    int32_t y_count;                                    /* elements that one call of the run makes */
} tarn_int_mul_s8_nd_params;

TARN_API void tarn_int_mul_s8_nd(const tarn_int_mul_s8_nd_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                             const int32_t *exceptions);

TARN_END_C
#endif
