/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_indices_f32.h"

/* The pixel of the largest value under the window, counted over the image's lines; -1: the window is all padding. */
static int32_t maxpool_indices_find_f32(const tarn_pool_params *p, const tarn_f32 *x, int32_t plane, int32_t line, int32_t pixel)
{
    const int32_t tap0 = tarn_pool_first_tap(&p->line, pixel);
    const int32_t tap1 = tarn_pool_end_tap(&p->line, pixel, p->line.in_pixels);
    tarn_acc_f32 best = tarn_lowest_f32;
    int32_t found = -1;
    int32_t row;
    for (row = 0; row < p->line.rows; ++row) {
        const int32_t at = tarn_pool_row(p, plane, line, row);
        int32_t tap;
        for (tap = tap0; (at >= 0) && (tap < tap1); ++tap) {
            const int32_t column = (pixel * p->line.stride) - p->line.pad + (tap * p->line.dilation);
            const tarn_acc_f32 v = tarn_load_f32(x[(at * p->x_line) + (column * p->line.x_pitch)]);
            if ((found < 0) || (v > best) || (tarn_is_nan_f32(v) && !tarn_is_nan_f32(best))) {
                best = v;
                found = (at * p->line.in_pixels) + column;
            }
        }
    }
    return found;
}

TARN_API void tarn_maxpool_indices_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, int64_t *indices)
{
    tarn_f32 *y_at = y;
    int64_t *indices_at = indices;
    const int32_t area = p->in[1] * p->line.in_pixels;
    const int32_t per_image = p->out[0] * p->out[1];
    int32_t done;
    for (done = 0; done < (p->images * per_image); ++done) {
        const int32_t image = done / per_image;
        const tarn_f32 *from = x + ((ptrdiff_t)image * p->in[0] * p->in[1] * p->x_line);
        int32_t pixel;
        for (pixel = 0; pixel < p->out_pixels; ++pixel) {
            int32_t c;
            for (c = 0; c < p->line.channels; ++c) {
                const int32_t at =
                    maxpool_indices_find_f32(p, from + c, done % per_image / p->out[1], done % p->out[1], pixel);
                const int32_t plane = at / area;
                const int32_t line = at / p->line.in_pixels % p->in[1];
                const int32_t column = at % p->line.in_pixels;
                const int32_t within = (p->line.option == 0) ? at : (plane + (p->in[0] * (line + (p->in[1] * column))));
                y_at[(pixel * p->line.y_pitch) + c] =
                    (at < 0) ? tarn_store_f32(tarn_lowest_f32) : from[(line * p->x_line) + (plane * p->in[1] * p->x_line) + (column * p->line.x_pitch) + c];
                *indices_at = (at < 0) ? -1 : (((int64_t)((image * p->line.channels) + c) * p->in[0] * area) + within);
                ++indices_at;
            }
        }
        y_at += p->y_line;
    }
}
