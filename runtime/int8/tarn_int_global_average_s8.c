/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_average_s8.h"

TARN_SMALL TARN_API void tarn_int_global_average_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                         const int32_t *exceptions, tarn_int_code_s8 *y)
{
    const tarn_int_code_s8 *x_at = x;
    tarn_int_code_s8 *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const tarn_int_code_s8 *from = x_at + c;
            int32_t sum = 0;
            int32_t pixel;
            for (pixel = 0; pixel < p->pixels; ++pixel) {
                sum += *from;
                from += p->x_pitch;
            }
            y_at[c] = tarn_int_finish_s8(&p->requant, q, exceptions, 0, sum);
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->y_pitch;
    }
}
