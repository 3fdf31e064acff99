/* SPDX-License-Identifier: MIT-0
 * What LSTM, GRU and RNN share: the layout of their tensors, and sums of products for four rows of weights, which are
 * packed ([k][4], constants) or stand as the model has them (made at run time). */
#ifndef TARN_RECURRENT_F32_H
#define TARN_RECURRENT_F32_H

#include "tarn_block_f32.h"

typedef struct {
    int32_t kind; /* TARN_ACTIVATION_... */
    tarn_acc_f32 alpha, beta;
} tarn_activation_f32_params;

typedef tarn_acc_f32 (*tarn_activate_f32)(const tarn_activation_f32_params *p, tarn_acc_f32 v);

typedef struct {
    int32_t steps, batch, inputs, units, directions;
    int32_t reverse;                      /* the first direction runs from the last step to the first */
    int32_t x_time, x_batch;              /* elements from one step to the next, from one sequence to the next */
    int32_t y_time, y_batch, y_direction; /* likewise of y */
    int32_t s_batch, s_direction;         /* likewise of initial and final states */
    int32_t packed;                       /* the weights are packed */
    tarn_acc_f32 clip;                    /* bounds what gates are applied to; infinity for none */
} tarn_recurrent_f32_params;

/* Adds the products of x[n] with four rows of w. Packed: w is [n][4]. Else rows lie `step` elements apart, and only the
 * first `rows` exist; sums of the others are of no use. n may be 0. */
TARN_FORCE_INLINE void tarn_recurrent_rows_f32(tarn_quad_f32 *s, const tarn_f32 *x, const tarn_f32 *w, int32_t n,
                                               int32_t packed, int32_t step, int32_t rows)
{
    if (packed != 0) {
        if (n > 0) {
            tarn_block1_f32(s, x, w, n);
        }
    } else {
        const tarn_f32 *w1 = (rows > 1) ? (w + step) : w;
        const tarn_f32 *w2 = (rows > 2) ? (w1 + step) : w;
        const tarn_f32 *w3 = (rows > 3) ? (w2 + step) : w;
        int32_t k;
        for (k = 0; k < n; ++k) {
            const tarn_acc_f32 v = tarn_load_f32(x[k]);
            s->a += tarn_load_f32(w[k]) * v;
            s->b += tarn_load_f32(w1[k]) * v;
            s->c += tarn_load_f32(w2[k]) * v;
            s->d += tarn_load_f32(w3[k]) * v;
        }
    }
}

/* Adds the products of x[n] with the four rows of weights that begin `at` elements into w: what a kernel's weights are is
 * compiled into it. */
typedef void (*tarn_recurrent_products_f32)(tarn_quad_f32 *s, const tarn_f32 *x, const void *w, ptrdiff_t at, int32_t n,
                                            int32_t packed, int32_t step, int32_t rows);

TARN_FORCE_INLINE void tarn_recurrent_plain_f32(tarn_quad_f32 *s, const tarn_f32 *x, const void *w, ptrdiff_t at, int32_t n,
                                                int32_t packed, int32_t step, int32_t rows)
{
    tarn_recurrent_rows_f32(s, x, (const tarn_f32 *)w + at, n, packed, step, rows);
}

TARN_FORCE_INLINE tarn_acc_f32 tarn_recurrent_clip_f32(tarn_acc_f32 v, tarn_acc_f32 clip)
{
    return tarn_clamp_f32(v, -clip, clip);
}

/* Steps of one sequence, within what there is. */
TARN_FORCE_INLINE int32_t tarn_recurrent_length_f32(const tarn_recurrent_f32_params *p, const int32_t *lengths, int32_t b)
{
    int32_t length = (lengths != NULL) ? lengths[b] : p->steps;
    length = (length < 0) ? 0 : length;
    return (length > p->steps) ? p->steps : length;
}

/* Where the state after step s (of `length`) is written: into y when there is one, else by turns into the final state
 * and scratch, so that it ends in the final state. */
TARN_FORCE_INLINE tarn_f32 *tarn_recurrent_state_f32(const tarn_recurrent_f32_params *p, int32_t s, int32_t length, int32_t t,
                                                     tarn_f32 *y, tarn_f32 *last, tarn_f32 *other)
{
    if (y != NULL) {
        return y + ((ptrdiff_t)t * p->y_time);
    }
    return (((length - 1 - s) & 1) != 0) ? other : last;
}

/* What is left to write of one sequence once it has run: y beyond its end is 0, the final state is `h` (NULL: 0). */
TARN_FORCE_INLINE void tarn_recurrent_finish_f32(const tarn_recurrent_f32_params *p, int32_t length, const tarn_f32 *h,
                                                 tarn_f32 *y, tarn_f32 *last)
{
    int32_t t;
    int32_t j;
    if ((last != NULL) && (last != h)) {
        for (j = 0; j < p->units; ++j) {
            last[j] = (h != NULL) ? h[j] : tarn_store_f32((tarn_acc_f32)0);
        }
    }
    if (y != NULL) {
        for (t = length; t < p->steps; ++t) {
            for (j = 0; j < p->units; ++j) {
                y[(t * p->y_time) + j] = tarn_store_f32((tarn_acc_f32)0);
            }
        }
    }
}

#endif
