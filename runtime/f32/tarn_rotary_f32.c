/* SPDX-License-Identifier: MIT-0 */
#include "tarn_rotary_f32.h"

static void tarn_rotary_f32_row(const tarn_rotary_f32_params *p, const tarn_f32 *x, const tarn_f32 *cosines, const tarn_f32 *sines,
                                tarn_f32 *y)
{
    const int32_t step = (p->interleaved != 0) ? 2 : 1;
    const int32_t apart = (p->interleaved != 0) ? 1 : p->half;
    int32_t i;
    for (i = 0; i < p->half; ++i) {
        const int32_t j = i * step;
        const tarn_acc_f32 a = tarn_load_f32(x[j]);
        const tarn_acc_f32 b = tarn_load_f32(x[j + apart]);
        const tarn_acc_f32 first = a * tarn_load_f32(cosines[i]) - b * tarn_load_f32(sines[i]);
        const tarn_acc_f32 second = b * tarn_load_f32(cosines[i + p->second]) + a * tarn_load_f32(sines[i + p->second]);
        y[j] = tarn_store_f32(first);
        y[j + apart] = tarn_store_f32(second);
    }
    for (i = 2 * p->half; i < p->size; ++i) {
        y[i] = x[i];
    }
}

TARN_API void tarn_rotary_f32(const tarn_rotary_f32_params *p, const tarn_f32 *x, const tarn_f32 *cosines, const tarn_f32 *sines,
                              tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    tarn_f32 *y_at = y;
    int32_t i;
    int32_t j;
    int32_t k;
    for (i = 0; i < p->dims[0]; ++i) {
        for (j = 0; j < p->dims[1]; ++j) {
            for (k = 0; k < p->dims[2]; ++k) {
                const int32_t at = (i * p->step[0]) + (j * p->step[1]) + (k * p->step[2]);
                tarn_rotary_f32_row(p, x_at, cosines + at, sines + at, y_at);
                x_at += p->size;
                y_at += p->size;
            }
        }
    }
}
