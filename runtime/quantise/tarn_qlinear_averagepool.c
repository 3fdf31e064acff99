/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_averagepool.h"

#include "tarn_code.h"
#include "tarn_qlinear_average_avx2.h"

/* The average around output `place` of the channel that begins at element `first`. */
static float qlinear_averagepool_cell(const tarn_qlinear_averagepool_params *p, const void *x, int32_t first, int32_t place,
                                      float scale, int32_t zero)
{
    const uint8_t *codes = (const uint8_t *)x;
    const int32_t pixel = p->channels_last ? p->channels : 1;
    const int32_t taps = p->kernel[0] * p->kernel[1] * p->kernel[2];
    /* Signed codes are read as unsigned ones that stand for 128 less. */
    const uint32_t flip = (p->lo < 0) ? 128u : 0u;
    const int32_t low = zero + (int32_t)flip;
    const int32_t step = p->dilation[2] * pixel;
    int32_t at[3];
    int32_t from[3]; /* the taps inside, on every axis */
    int32_t end[3];
    int32_t cells;
    int32_t i;
    int32_t j;
    float sum = 0;
    at[0] = (place / (p->out[1] * p->out[2]) * p->stride[0]) - p->pad[0];
    at[1] = (place / p->out[2] % p->out[1] * p->stride[1]) - p->pad[1];
    at[2] = (place % p->out[2] * p->stride[2]) - p->pad[2];
    for (i = 0; i < 3; ++i) {
        from[i] = 0;
        end[i] = p->kernel[i];
        while ((from[i] < end[i]) && ((at[i] + (from[i] * p->dilation[i])) < 0)) {
            ++from[i];
        }
        while ((end[i] > from[i]) && ((at[i] + ((end[i] - 1) * p->dilation[i])) >= p->in[i])) {
            --end[i];
        }
    }
    for (i = from[0]; i < end[0]; ++i) {
        const int32_t plane = (at[0] + (i * p->dilation[0])) * p->in[1];
        for (j = from[1]; j < end[1]; ++j) {
            const int32_t line = (plane + at[1] + (j * p->dilation[1])) * p->in[2];
            int32_t tap = first + ((line + at[2]) * pixel) + (from[2] * step);
            int32_t left;
            for (left = end[2] - from[2]; left > 0; --left) {
                sum += scale * (float)((int32_t)(codes[tap] ^ flip) - low);
                tap += step;
            }
        }
    }
    cells = p->include_pad ? taps : ((end[0] - from[0]) * (end[1] - from[1]) * (end[2] - from[2]));
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
