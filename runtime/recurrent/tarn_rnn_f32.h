/* SPDX-License-Identifier: MIT-0
 * RNN with tanh as its activation. */
#ifndef TARN_RNN_F32_H
#define TARN_RNN_F32_H

#include "tarn_rnn_core_f32.h"

TARN_BEGIN_C

/* x[steps][batch][inputs]; w[directions][units][inputs], r[directions][units][units], or both packed; b: NULL for none;
 * lengths[batch]: NULL for all; h0[directions][batch][units]: NULL for 0. y[steps][directions][batch][units], y_h like
 * h0: one of them may be NULL. Axes may stand in another order, as the params say. scratch: units elements if y is NULL
 * and steps > 1. y may lie over x if the batch is 1, there is one direction, forward, and no step of y is written before
 * that of x has been read. */
TARN_API void tarn_rnn_f32(const tarn_rnn_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                           const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, tarn_f32 *scratch, tarn_f32 *y,
                           tarn_f32 *y_h);

TARN_END_C
#endif
