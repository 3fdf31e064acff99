/* SPDX-License-Identifier: MIT-0
 * LSTM with any activations. */
#ifndef TARN_LSTM_ANY_F32_H
#define TARN_LSTM_ANY_F32_H

#include "tarn_lstm_core_f32.h"

TARN_BEGIN_C

/* Operands as of tarn_lstm_f32. */
TARN_API void tarn_lstm_any_f32(const tarn_lstm_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                                const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, const tarn_f32 *c0,
                                const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y, tarn_f32 *y_h, tarn_f32 *y_c);

TARN_END_C
#endif
