/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_groupnorm_s8.h"

/* Adds the codes of a channel, and their squares, to sums. */
static void int_groupnorm_sums_s8(const tarn_int_groupnorm_s8_params *p, const int8_t *x, int32_t *sums)
{
    const int8_t *x_at = x;
    const ptrdiff_t pitch = p->x_pitch;
    int32_t sum = sums[0];
    int32_t squares = sums[1];
    int32_t left;
    for (left = p->pixels; left > 0; --left) {
        const int32_t code = *x_at;
        sum += code;
        squares += code * code;
        x_at += pitch;
    }
    sums[0] = sum;
    sums[1] = squares;
}

/* For the channels of a group: code * slope + begin is the result, with `post` fractional bits, modulo 2^32. x: the code
 * next to the mean, where the line is right: halves that a bias alone makes stay halves. */
static void int_groupnorm_lines_s8(const tarn_int_groupnorm_s8_params *p, const tarn_int_norm_factor *f, int32_t x, const int32_t *scale,
                                   const int32_t *bias, int32_t *lines)
{
    const int32_t d = (int32_t)(((uint32_t)x * (f->count << f->shift)) + f->minus_sum);
    int32_t *line = lines;
    int32_t c;
    for (c = 0; c < p->group; ++c) {
        const int64_t step = (((int64_t)f->factor * scale[c]) >> 16) * (int64_t)f->count;
        const uint32_t slope = (uint32_t)((step + ((int64_t)1 << (47u - f->shift))) >> (48u - f->shift));
        const int32_t here = tarn_mulhi_s32(tarn_mulhi_s32(d, f->factor), scale[c]) + bias[c];
        line[0] = (int32_t)slope;
        line[1] = (int32_t)((uint32_t)here - ((uint32_t)x * slope));
        line += 2;
    }
}

TARN_API void tarn_int_groupnorm_s8(const tarn_int_groupnorm_s8_params *p, const int8_t *x, const int32_t *scale,
                                    const int32_t *bias, int32_t *lines, int8_t *y)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    const int32_t channels = p->channels;
    const int32_t post = p->norm.post;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t first;
        int32_t pixel;
        for (first = 0; first < channels; first += p->group) {
            int32_t sums[2] = {0, 0};
            tarn_int_norm_factor f;
            int32_t c;
            for (c = first; c < (first + p->group); ++c) {
                int_groupnorm_sums_s8(p, x_at + c, sums);
            }
            f = tarn_int_norm_factor_of(&p->norm, p->group * p->pixels, sums[0], sums[1]);
            int_groupnorm_lines_s8(p, &f, sums[0] / (p->group * p->pixels), scale + first, bias + first, lines + ((ptrdiff_t)2 * first));
        }
        for (pixel = 0; pixel < p->pixels; ++pixel) {
            const int32_t *line = lines;
            int32_t c;
            for (c = 0; c < channels; ++c) {
                const uint32_t slope = (uint32_t)line[0];
                const uint32_t begin = (uint32_t)line[1];
                y_at[c] = tarn_int_norm_clamp((int32_t)(((uint32_t)(int32_t)x_at[c] * slope) + begin) >> post);
                line += 2;
            }
            x_at += p->x_pitch;
            y_at += p->y_pitch;
        }
    }
}
