/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise3x3_mve_line_s8.h"
#include "tarn_int_mve_columns.h"

/* The pixels of three lines under a piece of the output, and what is beside the image. */
typedef struct {
    int32_t left, inside, right;    /* columns: outside, of the image, outside */
    const int8_t *from[3];          /* the first pixels inside; the zero point where a line is not there */
    int32_t step[3];                /* bytes to the next pixel */
} int_depthwise3x3_mve_under;

static void int_depthwise3x3_mve_aim_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *const *x, int32_t begin, int32_t count,
                                        const int8_t *zeros, int_depthwise3x3_mve_under *u)
{
    const int32_t outside = (begin < 0) ? -begin : 0;
    const int32_t room = p->in_pixels - begin;
    int32_t i;
    u->left = (outside < count) ? outside : count;
    u->inside = ((room < count) ? room : count) - u->left;
    u->inside = (u->inside > 0) ? u->inside : 0;
    u->right = count - u->left - u->inside;
    for (i = 0; i < 3; ++i) {
        const int32_t there = (x[i] != NULL) && (u->inside != 0);
        u->from[i] = (there != 0) ? (x[i] + ((ptrdiff_t)(begin + u->left) * p->x_pitch)) : zeros;
        u->step[i] = (there != 0) ? p->x_pitch : 0;
    }
}

/* Columns outside are the same for all channels. */
static void int_depthwise3x3_mve_edges_s8(const int_depthwise3x3_mve_under *u, const int8_t *zeros, int8_t *d)
{
    const int8_t *beside[3];
    const int32_t none[3] = {0, 0, 0};
    beside[0] = zeros;
    beside[1] = zeros;
    beside[2] = zeros;
    tarn_int_mve_columns(d, beside, none, u->left, 16);
    tarn_int_mve_columns(d + ((ptrdiff_t)64 * (u->left + u->inside)), beside, none, u->right, 16);
}

/* Those inside of up to sixteen channels from `channel` on. */
static void int_depthwise3x3_mve_gather_s8(const int_depthwise3x3_mve_under *u, int32_t channel, int32_t channels, int8_t *d)
{
    const int8_t *from[3];
    int32_t i;
    for (i = 0; i < 3; ++i) {
        from[i] = u->from[i] + ((u->step[i] != 0) ? channel : 0);
    }
    tarn_int_mve_columns(d + ((ptrdiff_t)64 * u->left), from, u->step, u->inside, channels);
}

/* Whether n pixels of a channel take fewer instructions two at a time, with three other channels, than four at a time by themselves. */
static int32_t int_depthwise3x3_mve_by_pairs_s8(int32_t n)
{
    return ((13 * ((n + 1) / 2)) + (3 * ((n > 1) + (n % 2)))) < (15 + (22 * ((n + 3) / 4)));
}

TARN_API void tarn_int_depthwise3x3_mve_line_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *const *x,
                                                const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch)
{
    int8_t *y_at = y;
    int32_t first_at = first;
    const int32_t last = (p->channels > 16) ? (p->channels - 16) : 0;
    const int32_t of_each = (p->channels < 16) ? p->channels : 16;
    const int32_t fours = ((of_each % 4) == 0) ? (of_each / 4) : 0;
    int8_t zeros[16];
    int_depthwise3x3_mve_under u;
    tarn_int_mve_line s;
    tarn_int_mve_fill(zeros, p->zero, 16);
    s.down = 24 - p->requant.post;
    s.pitch = p->y_pitch;
    s.pre = p->requant.pre;
    s.mask = (p->requant.pre > 0) ? p->requant.mask : 0; /* lines count on doubled products: without room for that every channel is looked at */
    s.columns = (const int8_t *)scratch;
    s.stride = p->stride[1];
    s.p = &p->requant;
    s.exceptions = exceptions;
    y_at += (ptrdiff_t)first_at * p->y_pitch;
    while (first_at < end) {
        const int32_t n = ((end - first_at) < p->piece) ? (end - first_at) : p->piece;
        const int32_t begin = (first_at * p->stride[1]) - p->pad[1];
        const int32_t by_pairs = (fours != 0) && (int_depthwise3x3_mve_by_pairs_s8(n) != 0);
        int32_t c = 0;
        s.pixels = n;
        s.groups = (n - 1) / 4;
        s.tail = n - (4 * s.groups);
        s.back = 4 - (256 * p->stride[1] * (s.groups + 1));
        int_depthwise3x3_mve_aim_s8(p, x, begin, ((n - 1) * p->stride[1]) + 3, zeros, &u);
        int_depthwise3x3_mve_edges_s8(&u, zeros, (int8_t *)scratch);
        for (;;) {
            int_depthwise3x3_mve_gather_s8(&u, c, p->channels, (int8_t *)scratch);
            s.y = y_at + c;
            s.w = w + ((ptrdiff_t)16 * c);
            s.q = q + ((ptrdiff_t)3 * c);
            s.q_end = s.q + ((p->channels < 16) ? (3 * p->channels) : 48);
            s.channel = c;
            if (by_pairs == 0) {
                tarn_int_mve_line3(&s);
            } else {
                if (n > 1) {
                    tarn_int_mve_pairs3(&s, 0, n / 2, fours);
                }
                if ((n % 2) != 0) {
                    /* The last pixel with the one before once more. */
                    tarn_int_mve_pairs3(&s, (n > 1) ? (n - 2) : 0, 1, fours);
                }
            }
            if (c == last) {
                break;
            }
            c = ((c + 16) < last) ? (c + 16) : last;
        }
        tarn_int_mve_clamp(&p->requant, y_at, p->channels, p->y_pitch, n);
        y_at += (ptrdiff_t)n * p->y_pitch;
        first_at += n;
    }
}
