/* SPDX-License-Identifier: MIT-0
 * GRU with sigmoid and tanh as its activations. */
#ifndef TARN_GRU_F32_H
#define TARN_GRU_F32_H

#include "tarn_gru_core_f32.h"

TARN_BEGIN_C

/* x[steps][batch][inputs]; w[directions][3 units][inputs], r[directions][3 units][units], or both packed; b: NULL for
 * none; lengths[batch]: NULL for all; h0[directions][batch][units]: NULL for 0. y[steps][directions][batch][units], y_h
 * like h0: one of them may be NULL. Axes may stand in another order, as the params say. scratch: units elements each if
 * not linear before reset, and if y is NULL and steps > 1. y may lie over x if the batch is 1, there is one direction,
 * forward, and no step of y is written before that of x has been read. */
TARN_API void tarn_gru_f32(const tarn_gru_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                           const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, tarn_f32 *scratch, tarn_f32 *y,
                           tarn_f32 *y_h);

TARN_END_C
#endif
