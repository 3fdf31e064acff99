/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lstm_any_f32.h"
#include "tarn_activation_f32.h"

TARN_API void tarn_lstm_any_f32(const tarn_lstm_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                                const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, const tarn_f32 *c0,
                                const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y, tarn_f32 *y_h, tarn_f32 *y_c)
{
    tarn_lstm_core_f32(p, x, w, r, b, lengths, h0, c0, peep, scratch, y, y_h, y_c, tarn_activation_f32,
                       tarn_activation_f32, tarn_activation_f32, tarn_recurrent_plain_f32, 0);
}
