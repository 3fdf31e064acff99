/* SPDX-License-Identifier: MIT-0
 * int8 fully connected layer with requantisation and weights of which most are zero, which are skipped. */
#ifndef TARN_INT_DENSE_SPARSE_S8_H
#define TARN_INT_DENSE_SPARSE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;
} tarn_int_dense_sparse_s8_params;

/* w, gaps: tarn_int_sparse.h; q: {begin, m, c} times four outputs; exceptions: see tarn_requant.h. */
TARN_API void tarn_int_dense_sparse_s8(const tarn_int_dense_sparse_s8_params *p, const int8_t *x, const int8_t *w,
                                       const uint8_t *gaps, const int32_t *q, const int32_t *exceptions, int8_t *y);

TARN_END_C
#endif
