/* SPDX-License-Identifier: MIT-0
 * LSTM with sigmoid, tanh and tanh as its activations. */
#ifndef TARN_LSTM_F32_H
#define TARN_LSTM_F32_H

#include "tarn_lstm_core_f32.h"

TARN_BEGIN_C

/* x[steps][batch][inputs]; w[directions][4 units][inputs], r[directions][4 units][units], or both packed; b: NULL for
 * none; lengths[batch]: NULL for all; h0, c0[directions][batch][units]: NULL for 0; peep[directions][3 units]: NULL for
 * none. y[steps][directions][batch][units], y_h, y_c like h0: each may be NULL. Axes may stand in another order, as the
 * params say. scratch: units elements each for y_c when it is NULL; for the state when y is NULL and steps > 1; and once
 * more when y_h is NULL too. y may lie over x if the batch is 1, there is one direction, forward, and no step of y is
 * written before that of x has been read. */
TARN_API void tarn_lstm_f32(const tarn_lstm_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                            const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, const tarn_f32 *c0,
                            const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y, tarn_f32 *y_h, tarn_f32 *y_c);

TARN_END_C
#endif
