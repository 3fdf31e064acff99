/* SPDX-License-Identifier: MIT-0
 * The inverse of max pooling: values go where their maxima stood, zeros elsewhere. */
#ifndef TARN_MAXUNPOOL_B4_H
#define TARN_MAXUNPOOL_B4_H

#include "tarn_bytes_b4.h"

TARN_BEGIN_C

typedef struct {
    int32_t count, total;     /* elements of x and y */
    int32_t rank;             /* at most 8 */
    int32_t in[8], out[8];    /* sizes that the indices count in; sizes of y */
} tarn_maxunpool_b4_params;

/* 0, or -1 when an index lies outside. */
TARN_API int tarn_maxunpool_b4(const tarn_maxunpool_b4_params *p, const void *x, const int64_t *indices, void *y);

TARN_END_C
#endif
