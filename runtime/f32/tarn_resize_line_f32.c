/* SPDX-License-Identifier: MIT-0 */
#include "tarn_resize_line_f32.h"
#include "tarn_real_f32.h"

/* Up to 4 channels of one pixel. */
static void resize_line_quad_f32(const tarn_resize_line_f32_params *p, const tarn_f32 *const *rows, const float *plane_weights,
                                 const float *line_weights, const float *weights, int32_t offset, int32_t count, tarn_f32 *y)
{
    tarn_real_f32 sum[4] = {0, 0, 0, 0};
    int32_t row = 0;
    int32_t plane;
    int32_t c;
    for (plane = 0; plane < p->planes; ++plane) {
        int32_t line;
        for (line = 0; line < p->lines; ++line) {
            const float row_weight = plane_weights[plane] * line_weights[line];
            const tarn_f32 *x = rows[row] + offset;
            int32_t tap;
            ++row;
            if (!((row_weight < 0.0f) || (row_weight > 0.0f))) {
                continue;
            }
            for (tap = 0; tap < p->taps; ++tap) {
                const float weight = row_weight * weights[tap];
                if ((weight < 0.0f) || (weight > 0.0f)) {
                    const tarn_real_f32 w = (tarn_real_f32)weight;
                    if (count == 4) {
                        sum[0] += w * tarn_real_load_f32(x[0]);
                        sum[1] += w * tarn_real_load_f32(x[1]);
                        sum[2] += w * tarn_real_load_f32(x[2]);
                        sum[3] += w * tarn_real_load_f32(x[3]);
                    } else {
                        for (c = 0; c < count; ++c) {
                            sum[c] += w * tarn_real_load_f32(x[c]);
                        }
                    }
                }
                x += p->x_pitch;
            }
        }
    }
    for (c = 0; c < count; ++c) {
        y[c] = tarn_real_store_f32(sum[c]);
    }
}

TARN_API void tarn_resize_line_f32(const tarn_resize_line_f32_params *p, const tarn_f32 *const *rows, const float *plane_weights,
                                   const float *line_weights, const int32_t *starts, const float *weights, tarn_f32 *y,
                                   int32_t first, int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        tarn_f32 *out = y + ((ptrdiff_t)pixel * p->y_pitch);
        int32_t c;
        if ((rows == NULL) || (starts[pixel] < 0)) {
            for (c = 0; c < p->channels; ++c) {
                out[c] = tarn_real_store_f32((tarn_real_f32)p->outside);
            }
            continue;
        }
        for (c = 0; c < p->channels; c += 4) {
            resize_line_quad_f32(p, rows, plane_weights, line_weights, weights + ((ptrdiff_t)pixel * p->taps), (starts[pixel] * p->x_pitch) + c,
                                 ((p->channels - c) < 4) ? (p->channels - c) : 4, out + c);
        }
    }
}
