/* SPDX-License-Identifier: MIT-0
 * GRU with sigmoid and tanh as its activations, over coded weights (w8: see tarn_coded_f32.h): codes in and out, floats in
 * between. */
#ifndef TARN_GRU_W8_S8_H
#define TARN_GRU_W8_S8_H

#include "tarn_gru_coded_s8.h"

TARN_BEGIN_C

/* As tarn_gru_w8_f32() of all steps between DequantizeLinear and QuantizeLinear, one sequence in one direction. scratch:
 * inputs elements, and 3 (2 when linear before reset) times units. y and y_h: NULL for none. y may lie over x if the
 * direction is forward and no step of y is written before that of x has been read. */
TARN_API void tarn_gru_w8_s8(const tarn_gru_coded_s8_params *p, const int8_t *x, const uint8_t *w, const uint16_t *w_scale,
                             const int8_t *w_zero, const uint8_t *r, const uint16_t *r_scale, const int8_t *r_zero,
                             const tarn_f32 *b, const tarn_f32 *h0, tarn_f32 *scratch, int8_t *y, tarn_f32 *y_h);

TARN_END_C
#endif
