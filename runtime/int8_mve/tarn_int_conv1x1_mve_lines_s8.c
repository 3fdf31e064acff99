/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv1x1_mve_lines_s8.h"
#include "tarn_int_mve_pixels.h"

TARN_API void tarn_int_conv1x1_mve_lines_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                            const int32_t *q, const int32_t *exceptions, int8_t *const *y, int32_t count)
{
    const int32_t step = p->stride[1] * p->x_pitch;
    const int8_t *x_at = NULL;
    int8_t *y_at = NULL;
    int8_t *to = NULL;          /* outputs of the first pixel that waits */
    int32_t line = 0;
    int32_t held = 0;
    int32_t left = 0;           /* pixels of the line */
    tarn_int_mve_state s;
    int_mve_pixels_begin(&s, &p->requant, exceptions, p->inputs, p->outputs);
    while ((line < count) || (left > 0)) {
        if (left == 0) {
            x_at = x[line];
            y_at = y[line];
            left = p->out_pixels;
            ++line;
        }
        s.x[held] = x_at;
        if (held == 0) {
            to = y_at;
        } else if (held == 1) {
            s.second = (int32_t)(y_at - to);
        } else {
            s.third = (int32_t)(y_at - to);
        }
        x_at += step;
        y_at += p->y_pitch;
        --left;
        ++held;
        if (held == 3) {
            int_mve_pixels_outputs(&s, w, q, to, 3);
            held = 0;
        }
    }
    if (held > 0) {
        int_mve_pixels_outputs(&s, w, q, to, held);
    }
    for (line = 0; line < count; ++line) {
        tarn_int_mve_clamp(&p->requant, y[line], p->outputs, p->y_pitch, p->out_pixels);
    }
}
