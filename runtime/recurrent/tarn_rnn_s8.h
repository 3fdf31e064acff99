/* SPDX-License-Identifier: MIT-0
 * RNN with tanh as its activation: codes in and out, floats in between. */
#ifndef TARN_RNN_S8_H
#define TARN_RNN_S8_H

#include "tarn_rnn_core_f32.h"
#include "tarn_recurrent_codes_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_recurrent_codes_s8_params codes;
    tarn_rnn_f32_params step; /* of one step, batch and direction */
} tarn_rnn_s8_params;

/* As tarn_rnn_f32() of all steps between DequantizeLinear and QuantizeLinear, one sequence in one direction. scratch:
 * inputs elements, and 2 times units. y and y_h: NULL for none. y may lie over x if the direction is forward and no step of
 * y is written before that of x has been read. */
TARN_API void tarn_rnn_s8(const tarn_rnn_s8_params *p, const int8_t *x, const tarn_f32 *w, const tarn_f32 *r,
                          const tarn_f32 *b, const tarn_f32 *h0, tarn_f32 *scratch, int8_t *y, tarn_f32 *y_h);

TARN_END_C
#endif
