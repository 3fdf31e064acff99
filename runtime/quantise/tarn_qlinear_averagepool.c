/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_averagepool.h"

#include "tarn_code.h"
#include "tarn_qlinear_average_avx2.h"

/* The average around output `place` of the channel that begins at element `first`. */
static float qlinear_averagepool_cell(const tarn_qlinear_averagepool_params *p, const void *x, int32_t first, int32_t place,
                                      float scale, int32_t zero)
{
    const int32_t pixel = p->channels_last ? p->channels : 1;
    const int32_t taps = p->kernel[0] * p->kernel[1] * p->kernel[2];
    int32_t at[3];
    int32_t cells = 0;
    int32_t tap;
    float sum = 0;
    at[0] = (place / (p->out[1] * p->out[2]) * p->stride[0]) - p->pad[0];
    at[1] = (place / p->out[2] % p->out[1] * p->stride[1]) - p->pad[1];
    at[2] = (place % p->out[2] * p->stride[2]) - p->pad[2];
    for (tap = 0; tap < taps; ++tap) {
        const int32_t z = at[0] + (tap / (p->kernel[1] * p->kernel[2]) * p->dilation[0]);
        const int32_t line = at[1] + (tap / p->kernel[2] % p->kernel[1] * p->dilation[1]);
        const int32_t column = at[2] + (tap % p->kernel[2] * p->dilation[2]);
        if ((z >= 0) && (z < p->in[0]) && (line >= 0) && (line < p->in[1]) && (column >= 0) && (column < p->in[2])) {
            const int32_t from = first + (((((z * p->in[1]) + line) * p->in[2]) + column) * pixel);
            sum += scale * (float)(tarn_code_get(x, 8, p->lo, from) - zero);
            ++cells;
        }
    }
    cells = p->include_pad ? taps : cells;
    return (cells > 0) ? (sum / (float)cells) : 0.0f;
}

#if TARN_QLINEAR_AVERAGE_AVX2
/* Whole eights of the channels of one image, channels last; how many channels there are. */
static int32_t qlinear_averagepool_eights(const tarn_qlinear_averagepool_params *p, const uint8_t *x, float scale, int32_t zero,
                                          float y_scale, float y_zero, uint8_t *y)
{
    const int32_t eights = p->channels_last ? (p->channels & ~7) : 0;
    const int32_t places = p->out[0] * p->out[1] * p->out[2];
    int32_t place;
    for (place = 0; (eights > 0) && (place < places); ++place) {
        int32_t at[3];
        int32_t c;
        at[0] = (place / (p->out[1] * p->out[2]) * p->stride[0]) - p->pad[0];
        at[1] = (place / p->out[2] % p->out[1] * p->stride[1]) - p->pad[1];
        at[2] = (place % p->out[2] * p->stride[2]) - p->pad[2];
        for (c = 0; c < eights; c += 8) {
            float averages[8];
            int32_t l;
            tarn_qlinear_average_avx2(p, x + c, at, scale, zero, averages);
            for (l = 0; l < 8; ++l) {
                const float v = averages[l] / y_scale;
                y[(place * p->channels) + c + l] = (uint8_t)tarn_code_round(v + y_zero, 0, p->lo, p->hi);
            }
        }
    }
    return eights;
}
#endif

TARN_API void tarn_qlinear_averagepool(const tarn_qlinear_averagepool_params *p, const void *x, const float *x_scale,
                                       const void *x_zero, const float *y_scale, const void *y_zero, void *y)
{
    const int32_t zx = (x_zero != NULL) ? tarn_code_get(x_zero, 8, p->lo, 0) : 0;
    const float zy = (y_zero != NULL) ? (float)tarn_code_get(y_zero, 8, p->lo, 0) : 0.0f;
    const int32_t area = p->in[0] * p->in[1] * p->in[2];
    const int32_t places = p->out[0] * p->out[1] * p->out[2];
    uint8_t *to = (uint8_t *)y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c = 0;
#if TARN_QLINEAR_AVERAGE_AVX2
        c = qlinear_averagepool_eights(p, (const uint8_t *)x + ((ptrdiff_t)image * p->channels * area), *x_scale, zx, *y_scale, zy, to);
#endif
        for (; c < p->channels; ++c) {
            const int32_t first = (image * p->channels * area) + (p->channels_last ? c : (c * area));
            int32_t place;
            for (place = 0; place < places; ++place) {
                const float average = qlinear_averagepool_cell(p, x, first, place, *x_scale, zx);
                const float v = average / *y_scale;
                to[p->channels_last ? ((place * p->channels) + c) : ((c * places) + place)] =
                    (uint8_t)tarn_code_round(v + zy, 0, p->lo, p->hi);
            }
        }
        to += (ptrdiff_t)p->channels * places;
    }
}
