/* SPDX-License-Identifier: MIT-0 */
#include "tarn_rnn_w8_s8.h"
#include "tarn_rnn_w8_f32.h"

TARN_API void tarn_rnn_w8_s8(const tarn_rnn_coded_s8_params *p, const int8_t *x, const uint8_t *w, const uint16_t *w_scale,
                             const int8_t *w_zero, const uint8_t *r, const uint16_t *r_scale, const int8_t *r_zero,
                             const tarn_f32 *b, const tarn_f32 *h0, tarn_f32 *scratch, int8_t *y, tarn_f32 *y_h)
{
    const int32_t units = p->step.plain.all.units;
    tarn_f32 *const row = scratch;
    tarn_f32 *next = row + p->step.plain.all.inputs;
    tarn_f32 *other = next + units;
    const tarn_f32 *h = h0;
    int32_t s;
    for (s = 0; s < p->codes.steps; ++s) {
        tarn_f32 *const state = next;
        tarn_recurrent_read_s8(&p->codes, x, s, row);
        tarn_rnn_w8_f32(&p->step, row, w, w_scale, w_zero, r, r_scale, r_zero, b, NULL, h, NULL, state, NULL);
        tarn_recurrent_write_s8(&p->codes, state, s, y);
        h = state;
        next = other;
        other = state;
    }
    tarn_recurrent_keep_s8(h, units, y_h);
}
