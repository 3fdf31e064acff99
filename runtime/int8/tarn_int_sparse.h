/* SPDX-License-Identifier: MIT-0
 * Sums of products of codes with weights of which most are zero. Those that are not stand one behind the other, and for each output
 * `gaps` has how many there are, 16 bits, least byte first, and then a byte for each: how many zeros there are before it. More
 * than 255 have a weight of zero among them. */
#ifndef TARN_INT_SPARSE_H
#define TARN_INT_SPARSE_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    const int8_t *w;
    const uint8_t *gaps;
} tarn_int_sparse_weights;

/* Adds an output's products to its sum, and moves on to the next output's weights. */
TARN_FORCE_INLINE int32_t tarn_int_sparse_sum(tarn_int_sparse_weights *at, int32_t sum, const int8_t *x)
{
    const int32_t count = (int32_t)at->gaps[0] | ((int32_t)at->gaps[1] << 8);
    const uint8_t *gap = at->gaps + 2;
    const uint8_t *end = gap + count;
    const int8_t *w = at->w;
    const int8_t *x_at = x;
    int32_t s = sum;
    while (gap != end) {
        x_at += *gap++;
        s += *w++ * *x_at++;
    }
    at->gaps = gap;
    at->w = w;
    return s;
}

TARN_END_C
#endif
