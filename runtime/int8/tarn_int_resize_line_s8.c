/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_resize_line_s8.h"

#include "tarn_requant.h"

static int8_t int_resize_code_s8(const tarn_int_resize_line_s8_params *p, int32_t sum)
{
    const uint32_t post = (uint32_t)p->post;
    const int32_t half = p->half;
    const int32_t t = tarn_mulhi_s32(sum, p->factor) + half;
    int32_t code = t >> post;
    if (((uint32_t)t << (32u - post)) == 0u) {
        code -= code & 1;
    }
    code += p->zero;
    if ((uint32_t)(code + 128) > 255u) {
        code = (code < 0) ? -128 : 127;
    }
    return (int8_t)code;
}

/* What an output pixel takes from: codes and their weight. */
typedef struct {
    const int8_t *x;
    int32_t weight;
} int_resize_source_s8;

#define INT_RESIZE_SOURCES_S8 16 /* that are kept for all channels of a pixel */

/* The sources of an output pixel, from number `skip` on, as many as are kept; returns how many there are. `whole` gets their weights' sum. */
static int32_t int_resize_sources_s8(const tarn_int_resize_line_s8_params *p, const int8_t *const *rows, const int32_t *plane_weights,
                                     const int32_t *line_weights, const int32_t *weights, int32_t offset, int32_t skip,
                                     int_resize_source_s8 *sources, int32_t *whole)
{
    int32_t n = -skip;
    int32_t row = 0;
    int32_t plane;
    for (plane = 0; plane < p->planes; ++plane) {
        int32_t line;
        for (line = 0; line < p->lines; ++line) {
            const int32_t row_weight =
                (p->planes == 1) ? line_weights[line]
                                 : (int32_t)((uint32_t)tarn_mulhi_s32(plane_weights[plane], line_weights[line]) << 6);
            const int8_t *x = rows[row] + offset;
            int32_t tap;
            ++row;
            for (tap = 0; (tap < p->taps) && (row_weight != 0); ++tap) {
                const int32_t weight = tarn_mulhi_s32(row_weight, weights[tap]);
                if (weight != 0) {
                    if ((n >= 0) && (n < INT_RESIZE_SOURCES_S8)) {
                        sources[n].x = x;
                        sources[n].weight = weight;
                        *whole += weight;
                    }
                    ++n;
                }
                x += p->x_pitch;
            }
        }
    }
    return n;
}

/* All channels from the sources. */
static void int_resize_pixel_s8(const tarn_int_resize_line_s8_params *p, const int_resize_source_s8 *sources, int32_t n, int32_t begin,
                                int8_t *y)
{
    const int_resize_source_s8 *end = sources + n;
    const int_resize_source_s8 *from;
    int32_t c = 0;
    for (; (c + 4) <= p->channels; c += 4) {
        int32_t a = begin;
        int32_t b = begin;
        int32_t d = begin;
        int32_t e = begin;
        for (from = sources; from != end; ++from) {
            const int8_t *x = from->x + c;
            const int32_t weight = from->weight;
            a += weight * x[0];
            b += weight * x[1];
            d += weight * x[2];
            e += weight * x[3];
        }
        y[c] = int_resize_code_s8(p, a);
        y[c + 1] = int_resize_code_s8(p, b);
        y[c + 2] = int_resize_code_s8(p, d);
        y[c + 3] = int_resize_code_s8(p, e);
    }
    for (; c < p->channels; ++c) {
        int32_t sum = begin;
        for (from = sources; from != end; ++from) {
            sum += from->weight * from->x[c];
        }
        y[c] = int_resize_code_s8(p, sum);
    }
}

/* A pixel with more sources than are kept: they are found again for each channel. */
TARN_SMALL static void int_resize_many_s8(const tarn_int_resize_line_s8_params *p, const int8_t *const *rows, const int32_t *plane_weights,
                                          const int32_t *line_weights, const int32_t *weights, int32_t offset,
                                          int_resize_source_s8 *sources, int8_t *y)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        int32_t sum = 0;
        int32_t skip = 0;
        int32_t left;
        do {
            int32_t whole = 0;
            int32_t i;
            left = int_resize_sources_s8(p, rows, plane_weights, line_weights, weights, offset + c, skip, sources, &whole);
            for (i = 0; (i < left) && (i < INT_RESIZE_SOURCES_S8); ++i) {
                sum += sources[i].weight * *sources[i].x;
            }
            sum -= p->x_zero * whole;
            skip += INT_RESIZE_SOURCES_S8;
        } while (left > INT_RESIZE_SOURCES_S8);
        y[c] = int_resize_code_s8(p, sum);
    }
}

TARN_API void tarn_int_resize_line_s8(const tarn_int_resize_line_s8_params *p, const int8_t *const *rows,
                                      const int32_t *plane_weights, const int32_t *line_weights, const int32_t *starts,
                                      const int32_t *weights, int8_t *y, int32_t first, int32_t end)
{
    int_resize_source_s8 sources[INT_RESIZE_SOURCES_S8];
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        int8_t *out = y + ((ptrdiff_t)pixel * p->y_pitch);
        const int32_t *of = weights + ((ptrdiff_t)pixel * p->taps);
        const int32_t offset = starts[pixel] * p->x_pitch;
        int32_t whole = 0;
        int32_t n;
        if ((rows == NULL) || (starts[pixel] < 0)) {
            int32_t c;
            for (c = 0; c < p->channels; ++c) {
                out[c] = (int8_t)p->outside;
            }
            continue;
        }
        n = int_resize_sources_s8(p, rows, plane_weights, line_weights, of, offset, 0, sources, &whole);
        if (n <= INT_RESIZE_SOURCES_S8) {
            int_resize_pixel_s8(p, sources, n, -(p->x_zero * whole), out);
        } else {
            int_resize_many_s8(p, rows, plane_weights, line_weights, of, offset, sources, out);
        }
    }
}
