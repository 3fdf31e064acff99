/* SPDX-License-Identifier: MIT-0 */
#include "tarn_stft_f32.h"

static void stft_frame_f32(const tarn_stft_f32_params *p, const tarn_f32 *x, const tarn_f32 *window, const tarn_acc_f32 *table,
                           tarn_f32 *y)
{
    int32_t j;
    for (j = 0; j < p->bins; ++j) {
        tarn_acc_f32 real = 0;
        tarn_acc_f32 imaginary = 0;
        int32_t turn = 0;
        int32_t k;
        for (k = 0; k < p->length; ++k) {
            const tarn_acc_f32 cosine = table[(ptrdiff_t)2 * turn];
            const tarn_acc_f32 sine = table[(2 * turn) + 1];
            const tarn_acc_f32 factor = (window != NULL) ? tarn_load_f32(window[k]) : (tarn_acc_f32)1;
            const tarn_acc_f32 a = factor * tarn_load_f32(x[(ptrdiff_t)k * p->x_parts]);
            const tarn_acc_f32 b = (p->x_parts == 2) ? factor * tarn_load_f32(x[(k * p->x_parts) + 1]) : (tarn_acc_f32)0;
            real += (a * cosine) + (b * sine);
            imaginary += (b * cosine) - (a * sine);
            turn += j;
            turn = (turn >= p->length) ? (turn - p->length) : turn;
        }
        y[(ptrdiff_t)2 * j] = tarn_store_f32(real);
        y[(2 * j) + 1] = tarn_store_f32(imaginary);
    }
}

TARN_API int32_t tarn_stft_f32(const tarn_stft_f32_params *p, const tarn_f32 *x, const tarn_f32 *window, const tarn_acc_f32 *table,
                               const void *step, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int64_t distance = p->step;
    int32_t b;
    if (step != NULL) {
        if (p->wide) {
            distance = *(const int64_t *)step;
        } else {
            distance = *(const int32_t *)step;
        }
    }
    if ((distance < 1) || (p->size < p->length) || ((((p->size - p->length) / distance) + 1) != p->frames)) {
        return -1;
    }
    for (b = 0; b < p->batches; ++b) {
        int32_t f;
        for (f = 0; f < p->frames; ++f) {
            const tarn_f32 *frame = x + ((ptrdiff_t)((b * p->size) + (f * (int32_t)distance)) * p->x_parts);
            stft_frame_f32(p, frame, window, table, y_at);
            y_at += (ptrdiff_t)2 * p->bins;
        }
    }
    return 0;
}
