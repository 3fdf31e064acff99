/* SPDX-License-Identifier: MIT-0
 * Which scale and zero point each element of quantised data has, and the range of its codes. */
#ifndef TARN_QUANTIZE_H
#define TARN_QUANTIZE_H

#include "tarn.h"

/* The tensor: [outer][size][inner]. Element [o][a][i] has the scale o * s_outer + a / block * s_axis + i * s_inner, and the
 * zero point at the same place. Codes have `bits` bits and lie in [lo, hi]. */
typedef struct {
    int32_t outer, size, inner, block, s_outer, s_axis, s_inner, bits, lo, hi;
} tarn_quantize_params;

#endif
