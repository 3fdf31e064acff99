/* SPDX-License-Identifier: MIT-0
 * Weights of which most are zero: those that are not stand one behind the other, and for each row of each output `gaps` has how
 * many there are, 16 bits, least byte first, and then a byte for each: how many zeros there are before it. More than 255 have a
 * weight of zero among them. Sums run over k upwards, as over all weights: they are the same numbers. */
#ifndef TARN_SPARSE_F32_H
#define TARN_SPARSE_F32_H

#include "tarn_types_f32.h"

typedef struct {
    const tarn_f32 *w;
    const uint8_t *gaps;
} tarn_sparse_f32;

TARN_FORCE_INLINE int32_t tarn_sparse_count_f32(tarn_sparse_f32 *at)
{
    const int32_t count = (int32_t)at->gaps[0] | ((int32_t)at->gaps[1] << 8);
    at->gaps += 2;
    return count;
}

/* A row whose inputs follow each other. */
TARN_FORCE_INLINE tarn_acc_f32 tarn_sparse_row_f32(tarn_sparse_f32 *at, tarn_acc_f32 sum, const tarn_f32 *x)
{
    const int32_t count = tarn_sparse_count_f32(at);
    const uint8_t *gap = at->gaps;
    const uint8_t *end = gap + count;
    const tarn_f32 *w = at->w;
    const tarn_f32 *x_at = x;
    tarn_acc_f32 s = sum;
    while (gap != end) {
        x_at += *gap;
        s += tarn_load_f32(*w) * tarn_load_f32(*x_at);
        ++gap;
        ++w;
        ++x_at;
    }
    at->gaps = gap;
    at->w = w;
    return s;
}

/* Adds the residual r (or none, NULL) and clamps. */
TARN_FORCE_INLINE tarn_f32 tarn_sparse_finish_f32(tarn_acc_f32 sum, const tarn_f32 *r, tarn_acc_f32 lo, tarn_acc_f32 hi)
{
    tarn_acc_f32 s = sum;
    s += (r != NULL) ? tarn_load_f32(*r) : 0;
    if ((lo > tarn_lowest_f32) || (hi < tarn_highest_f32)) {
        s = tarn_clamp_f32(s, lo, hi);
    }
    return tarn_store_f32(s);
}

#endif
