/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_resize_line_s16.h"

#include "tarn_code.h"

TARN_FORCE_INLINE float int_resize_load_s16(const tarn_int_resize_line_s16_params *p, tarn_int_code_s16 code)
{
    return (float)((int32_t)code - p->x_zero) * p->x_scale;
}

TARN_FORCE_INLINE tarn_int_code_s16 int_resize_store_s16(const tarn_int_resize_line_s16_params *p, float value)
{
    return (tarn_int_code_s16)tarn_code_round(value / p->scale, p->zero, p->lo, p->hi);
}

/* Up to 4 channels of one pixel. */
static void int_resize_quad_s16(const tarn_int_resize_line_s16_params *p, const tarn_int_code_s16 *const *rows, const float *plane_weights,
                               const float *line_weights, const float *weights, int32_t offset, int32_t count,
                               tarn_int_code_s16 *y)
{
    float sum[4] = {0, 0, 0, 0};
    int32_t row = 0;
    int32_t plane;
    int32_t c;
    for (plane = 0; plane < p->planes; ++plane) {
        int32_t line;
        for (line = 0; line < p->lines; ++line) {
            const float row_weight = plane_weights[plane] * line_weights[line];
            const tarn_int_code_s16 *x = rows[row] + offset;
            int32_t tap;
            ++row;
            if (!((row_weight < 0.0f) || (row_weight > 0.0f))) {
                continue;
            }
            for (tap = 0; tap < p->taps; ++tap) {
                const float weight = row_weight * weights[tap];
                if ((weight < 0.0f) || (weight > 0.0f)) {
                    if (count == 4) {
                        sum[0] += weight * int_resize_load_s16(p, x[0]);
                        sum[1] += weight * int_resize_load_s16(p, x[1]);
                        sum[2] += weight * int_resize_load_s16(p, x[2]);
                        sum[3] += weight * int_resize_load_s16(p, x[3]);
                    } else {
                        for (c = 0; c < count; ++c) {
                            sum[c] += weight * int_resize_load_s16(p, x[c]);
                        }
                    }
                }
                x += p->x_pitch;
            }
        }
    }
    for (c = 0; c < count; ++c) {
        y[c] = int_resize_store_s16(p, sum[c]);
    }
}

TARN_API void tarn_int_resize_line_s16(const tarn_int_resize_line_s16_params *p, const tarn_int_code_s16 *const *rows,
                                      const float *plane_weights, const float *line_weights, const int32_t *starts,
                                      const float *weights, tarn_int_code_s16 *y, int32_t first, int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        tarn_int_code_s16 *out = y + ((ptrdiff_t)pixel * p->y_pitch);
        int32_t c;
        if ((rows == NULL) || (starts[pixel] < 0)) {
            for (c = 0; c < p->channels; ++c) {
                out[c] = int_resize_store_s16(p, p->outside);
            }
            continue;
        }
        for (c = 0; c < p->channels; c += 4) {
            int_resize_quad_s16(p, rows, plane_weights, line_weights, weights + ((ptrdiff_t)pixel * p->taps), (starts[pixel] * p->x_pitch) + c,
                                 ((p->channels - c) < 4) ? (p->channels - c) : 4, out + c);
        }
    }
}
