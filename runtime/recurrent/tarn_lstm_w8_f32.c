/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lstm_w8_f32.h"
#include "tarn_fn_sigmoid_f32.h"
#include "tarn_fn_tanh_f32.h"

static tarn_acc_f32 lstm_w8_sigmoid_f32(const tarn_activation_f32_params *p, tarn_acc_f32 v)
{
    (void)p;
    return tarn_fn_sigmoid_f32(v);
}

static tarn_acc_f32 lstm_w8_tanh_f32(const tarn_activation_f32_params *p, tarn_acc_f32 v)
{
    (void)p;
    return tarn_fn_tanh_f32(v);
}

static void lstm_w8_products_f32(tarn_quad_f32 *s, const tarn_f32 *x, const void *w, ptrdiff_t at, int32_t n, int32_t packed,
                                int32_t step, int32_t rows)
{
    (void)packed;
    (void)step;
    (void)rows;
    tarn_recurrent_coded_products_f32(TARN_CODED_W8, s, x, w, at, n);
}

TARN_API void tarn_lstm_w8_f32(const tarn_lstm_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *w_scale,
                               const int8_t *w_zero, const uint8_t *r, const uint16_t *r_scale, const int8_t *r_zero, const tarn_f32 *b,
                               const int32_t *lengths, const tarn_f32 *h0, const tarn_f32 *c0, const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y,
                               tarn_f32 *y_h, tarn_f32 *y_c)
{
    tarn_recurrent_coded_f32 input;
    tarn_recurrent_coded_f32 recurrent;
    input.layout = &p->w;
    input.codes = w;
    input.scale = w_scale;
    input.zero = w_zero;
    recurrent.layout = &p->r;
    recurrent.codes = r;
    recurrent.scale = r_scale;
    recurrent.zero = r_zero;
    tarn_lstm_core_f32(&p->plain, x, &input, &recurrent, b, lengths, h0, c0, peep, scratch, y, y_h, y_c, lstm_w8_sigmoid_f32, lstm_w8_tanh_f32, lstm_w8_tanh_f32,
                      lstm_w8_products_f32, 1);
}
