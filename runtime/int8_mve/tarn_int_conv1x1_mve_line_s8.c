/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv1x1_mve_line_s8.h"
#include "tarn_int_mve_pixels.h"

TARN_API void tarn_int_conv1x1_mve_line_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                           int32_t apart, int8_t *scratch)
{
    const int32_t step = p->stride[1] * p->x_pitch;
    const int8_t *x_at = x[0] + ((ptrdiff_t)first * step);
    int8_t *const y_first = y + ((ptrdiff_t)first * p->y_pitch);
    int8_t *y_at = y_first;
    int32_t left = end - first;
    tarn_int_mve_state s;
    int_mve_pixels_begin(&s, &p->requant, exceptions, p->inputs, p->outputs);
    s.second = p->y_pitch;
    s.third = 2 * p->y_pitch;
#if TARN_INT_MVE_SHORT
    if ((s.length <= TARN_INT_MVE_SHORT) && (left >= 3)) {
        /* Three are read before they are written, so that lines may share bytes. */
        tarn_int_mve_steps steps = {3 * step, 3 * p->y_pitch, left / 3};
        s.x[0] = x_at;
        s.x[1] = x_at + step;
        s.x[2] = x_at + ((ptrdiff_t)2 * step);
        s.y = y_at;
        s.y_first = y_at;
        tarn_int_mve_short(&s, w, q, &steps);
        x_at += (ptrdiff_t)(left / 3 * 3) * step;
        y_at += (ptrdiff_t)(left / 3 * 3) * p->y_pitch;
        left %= 3;
    }
#endif
    while (left > 0) {
        const int32_t count = (left < 3) ? left : 3;
        s.x[0] = x_at;
        s.x[1] = x_at + step;
        s.x[2] = x_at + ((ptrdiff_t)2 * step);
        if (apart == 0) {
            int8_t *d = scratch;
            int32_t i;
            for (i = 0; i < count; ++i) {
                const int8_t *from = s.x[i];
                s.x[i] = d;
                d = tarn_int_mve_copy(d, from, p->inputs);
            }
        }
        int_mve_pixels_outputs(&s, w, q, y_at, count);
        x_at += (ptrdiff_t)3 * step;
        y_at += (ptrdiff_t)3 * p->y_pitch;
        left -= count;
    }
    tarn_int_mve_clamp(&p->requant, y_first, p->outputs, p->y_pitch, end - first);
}
