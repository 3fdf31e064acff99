/* SPDX-License-Identifier: MIT-0 */
#include "tarn_resize_repeat_b4.h"

static void resize_repeat_line_b4(const tarn_resize_repeat_b4_params *p, const uint8_t *x, uint8_t *y)
{
    const uint8_t *x_at = x;
    uint8_t *y_at = y;
    int32_t pixel;
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        int32_t time;
        for (time = 0; time < p->times_pixels; ++time) {
            const uint8_t *in = x_at;
            uint8_t *out = y_at;
            int32_t c;
            for (c = 0; c < p->channels; ++c) {
                tarn_move_b4(out, in);
                out += TARN_BYTES_B4;
                in += TARN_BYTES_B4;
            }
            y_at += (ptrdiff_t)TARN_BYTES_B4 * p->y_pitch;
        }
        x_at += (ptrdiff_t)TARN_BYTES_B4 * p->x_pitch;
    }
}

TARN_API void tarn_resize_repeat_b4(const tarn_resize_repeat_b4_params *p, const void *x, void *y)
{
    const uint8_t *in = (const uint8_t *)x;
    uint8_t *out = (uint8_t *)y;
    int32_t plane;
    for (plane = 0; plane < p->planes; ++plane) {
        int32_t again;
        for (again = 0; again < p->times_planes; ++again) {
            int32_t line;
            for (line = 0; line < (p->lines * p->times_lines); ++line) {
                resize_repeat_line_b4(p, in + ((ptrdiff_t)TARN_BYTES_B4 * (line / p->times_lines) * p->x_line), out);
                out += (ptrdiff_t)TARN_BYTES_B4 * p->y_line;
            }
        }
        in += (ptrdiff_t)TARN_BYTES_B4 * p->lines * p->x_line;
    }
}
