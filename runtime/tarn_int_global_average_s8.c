/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_average_s8.h"

TARN_SMALL TARN_API void tarn_int_global_average_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                         const int32_t *exceptions, tarn_int_code_s8 *y)
{
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const tarn_int_code_s8 *from = x + c;
            int32_t sum = 0;
            int32_t pixel;
            for (pixel = 0; pixel < p->pixels; ++pixel) {
                sum += *from;
                from += p->x_pitch;
            }
            y[c] = tarn_int_finish_s8(&p->requant, q, exceptions, 0, sum);
        }
        x += p->pixels * p->x_pitch;
        y += p->y_pitch;
    }
}
