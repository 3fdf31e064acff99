/* SPDX-License-Identifier: MIT-0
 * LSTM with the usual activations, over coded weights (w8: see tarn_coded_f32.h). */
#ifndef TARN_LSTM_W8_F32_H
#define TARN_LSTM_W8_F32_H

#include "tarn_lstm_coded_f32.h"

TARN_BEGIN_C

/* w and r: the codes of the packed rows, their scales and zeros; the others as of tarn_lstm_f32(). */
TARN_API void tarn_lstm_w8_f32(const tarn_lstm_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *w_scale,
                               const int8_t *w_zero, const uint8_t *r, const uint16_t *r_scale, const int8_t *r_zero, const tarn_f32 *b,
                               const int32_t *lengths, const tarn_f32 *h0, const tarn_f32 *c0, const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y,
                               tarn_f32 *y_h, tarn_f32 *y_c);

TARN_END_C
#endif
