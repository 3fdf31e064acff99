/* SPDX-License-Identifier: MIT-0 */
#include "tarn_gru_s8.h"
#include "tarn_gru_f32.h"

TARN_API void tarn_gru_s8(const tarn_gru_s8_params *p, const int8_t *x, const tarn_f32 *w, const tarn_f32 *r,
                          const tarn_f32 *b, const tarn_f32 *h0, tarn_f32 *scratch, int8_t *y, tarn_f32 *y_h)
{
    const int32_t units = p->step.all.units;
    tarn_f32 *const row = scratch;
    tarn_f32 *next = row + p->step.all.inputs;
    tarn_f32 *other = next + units;
    tarn_f32 *const reset = other + units;
    const tarn_f32 *h = h0;
    int32_t s;
    for (s = 0; s < p->codes.steps; ++s) {
        tarn_f32 *const state = next;
        tarn_recurrent_read_s8(&p->codes, x, s, row);
        tarn_gru_f32(&p->step, row, w, r, b, NULL, h, reset, state, NULL);
        tarn_recurrent_write_s8(&p->codes, state, s, y);
        h = state;
        next = other;
        other = state;
    }
    tarn_recurrent_keep_s8(h, units, y_h);
}
