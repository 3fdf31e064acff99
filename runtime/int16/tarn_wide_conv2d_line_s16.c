/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_conv2d_line_s16.h"
#include "tarn_wide_dots.h"

static int16_t *wide_conv2d_copy_s16(int16_t *d, const int16_t *from, int32_t n)
{
    const int16_t *end = from + (n & ~3);
    while (from != end) {
        d[0] = from[0];
        d[1] = from[1];
        d[2] = from[2];
        d[3] = from[3];
        d += 4;
        from += 4;
    }
    end += n & 3;
    while (from != end) {
        *d++ = *from++;
    }
    return d;
}

static int16_t *wide_conv2d_fill_s16(int16_t *d, int32_t code, int32_t n)
{
    for (; n > 0; --n) {
        *d++ = (int16_t)code;
    }
    return d;
}

/* Copies what lies under the kernel at column `column`, for the group whose channels begin at `offset`. */
static void wide_conv2d_gather_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *const *x, int32_t offset, int32_t column,
                                   int16_t *d)
{
    const int32_t inputs = p->inputs;
    const int32_t joined = (p->x_pitch == inputs) && (p->dilation[1] == 1) && (column >= 0) && ((column + p->taps) <= p->in_pixels);
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        const int16_t *line = x[row];
        int32_t pixel = column;
        int32_t tap;
        if ((joined != 0) && line != NULL) {
            d = wide_conv2d_copy_s16(d, line + ((ptrdiff_t)column * inputs), p->taps * inputs);
            continue;
        }
        for (tap = 0; tap < p->taps; ++tap) {
            if (line != NULL && (pixel >= 0) && (pixel < p->in_pixels)) {
                d = wide_conv2d_copy_s16(d, line + ((ptrdiff_t)pixel * p->x_pitch) + offset, inputs);
            } else {
                d = wide_conv2d_fill_s16(d, p->zero, inputs);
            }
            pixel += p->dilation[1];
        }
    }
    wide_conv2d_fill_s16(d, 0, p->length - (p->rows * p->taps * inputs));
}

/* All outputs of one group for one patch. */
static void wide_conv2d_patch_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *patch, const int8_t *w, const int32_t *q,
                                  int16_t *y)
{
    int32_t o;
    for (o = 0; o < p->outputs; o += 4) {
        int64_t sums[4] = {0, 0, 0, 0};
        int32_t at = 0;
        int32_t i;
        while (at < p->length) {
            const int32_t left = p->length - at;
            const int32_t n = (left < p->piece) ? left : p->piece;
            int32_t part[4] = {0, 0, 0, 0};
            tarn_wide_dots(part, w, patch + at, n);
            for (i = 0; i < 4; ++i) {
                sums[i] += part[i];
            }
            w += (ptrdiff_t)4 * n;
            at += n;
        }
        for (i = 0; (i < 4) && ((o + i) < p->outputs); ++i) {
            y[o + i] = (int16_t)tarn_wide_code(&p->codes, q, sums[i]);
            q += 4;
        }
    }
}

TARN_API void tarn_wide_conv2d_line_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *const *x, const int32_t *w,
                                        const int32_t *q, int16_t *y, int32_t first, int32_t end, int32_t *patch)
{
    const int32_t weights = (p->outputs + 3) / 4 * 4 * p->length; /* of a group */
    const int8_t *bytes = (const int8_t *)w;
    int16_t *codes = (int16_t *)(void *)patch;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    y += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t group;
        for (group = 0; group < p->groups; ++group) {
            wide_conv2d_gather_s16(p, x, group * p->inputs, column, codes);
            wide_conv2d_patch_s16(p, codes, bytes + ((ptrdiff_t)group * weights), q + ((ptrdiff_t)4 * group * p->outputs), y + ((ptrdiff_t)group * p->outputs));
        }
        y += p->y_pitch;
        column += p->stride[1];
    }
}
