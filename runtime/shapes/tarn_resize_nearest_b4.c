/* SPDX-License-Identifier: MIT-0 */
#include "tarn_resize_nearest_b4.h"

TARN_API void tarn_resize_nearest_b4_line(const tarn_resize_nearest_params *p, const void *x, const int32_t *from,
                                          const void *value, void *y, int32_t first, int32_t end)
{
    static const uint64_t zero = 0u; /* at an address that any element may have */
    uint8_t *line = (uint8_t *)y;
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t outside = (x == NULL) || (from[pixel] < 0);
        const uint8_t *in = (value != NULL) ? (const uint8_t *)value : (const uint8_t *)&zero;
        uint8_t *out = line + ((ptrdiff_t)TARN_BYTES_B4 * pixel * p->y_pitch);
        const int32_t step = (outside != 0) ? 0 : TARN_BYTES_B4;
        int32_t c;
        if (outside == 0) {
            in = (const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * from[pixel] * p->x_pitch);
        }
        for (c = 0; c < p->channels; ++c) {
            tarn_move_b4(out, in);
            out += TARN_BYTES_B4;
            in += step;
        }
    }
}

TARN_API void tarn_resize_nearest_b4(const tarn_resize_nearest_params *p, const void *x, const int32_t *table, const void *value,
                                     void *y)
{
    const int32_t *lines = table + p->out_planes;
    const int32_t *pixels = lines + p->out_lines;
    uint8_t *out = (uint8_t *)y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t plane;
        for (plane = 0; plane < p->out_planes; ++plane) {
            int32_t line;
            for (line = 0; line < p->out_lines; ++line) {
                const int32_t at = (((image * p->in_planes) + table[plane]) * p->in_lines) + lines[line];
                const uint8_t *in = (const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * at * p->x_line);
                tarn_resize_nearest_b4_line(p, ((table[plane] < 0) || (lines[line] < 0)) ? NULL : in, pixels, value, out, 0,
                                            p->out_pixels);
                out += (ptrdiff_t)TARN_BYTES_B4 * p->y_line;
            }
        }
    }
}
