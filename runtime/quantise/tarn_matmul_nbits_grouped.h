/* SPDX-License-Identifier: MIT-0
 * tarn_matmul_nbits() for weights whose scales and zero points do not follow their blocks: column k of w takes those of block
 * group[k]. */
#ifndef TARN_MATMUL_NBITS_GROUPED_H
#define TARN_MATMUL_NBITS_GROUPED_H

#include "tarn_matmul_nbits.h"

TARN_BEGIN_C

/* group: [k]; a block that does not exist counts as the nearest one that does. */
TARN_API void tarn_matmul_nbits_grouped(const tarn_matmul_nbits_params *p, const float *x, const uint8_t *w, const float *scale,
                                        const void *zero, const float *bias, const int32_t *group, float *y);

TARN_END_C
#endif
