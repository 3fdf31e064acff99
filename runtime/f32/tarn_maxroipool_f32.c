/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxroipool_f32.h"

/* Halves are rounded away from zero. */
static int32_t maxroipool_round_f32(tarn_acc_f32 v)
{
    if (!(v > -1000000)) {
        return -1000000;
    }
    if (v > 1000000) {
        return 1000000;
    }
    return (int32_t)((v < 0) ? (v - (tarn_acc_f32)0.5) : (v + (tarn_acc_f32)0.5));
}

static int32_t maxroipool_clip_f32(int32_t v, int32_t most)
{
    return (v < 0) ? 0 : (v > most) ? most : v;
}

/* The input positions of part `at` of `parts`: [first, end). */
static void maxroipool_part_f32(int32_t start, int32_t last, int32_t at, int32_t parts, int32_t in, int32_t *first, int32_t *end)
{
    const int32_t size = ((last - start + 1) > 1) ? (last - start + 1) : 1;
    const tarn_acc_f32 bin = (tarn_acc_f32)size / (tarn_acc_f32)parts;
    const tarn_acc_f32 upper = (tarn_acc_f32)(at + 1) * bin;
    int32_t up = (int32_t)upper;
    up += (tarn_acc_f32)up < upper;
    *first = maxroipool_clip_f32((int32_t)((tarn_acc_f32)at * bin) + start, in);
    *end = maxroipool_clip_f32(up + start, in);
}

TARN_API int tarn_maxroipool_f32(const tarn_maxroipool_f32_params *p, const tarn_f32 *x, const tarn_f32 *regions, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t region;
    for (region = 0; region < p->regions; ++region) {
        const tarn_f32 *r = regions + ((ptrdiff_t)5 * region);
        const tarn_acc_f32 of = tarn_load_f32(r[0]);
        const tarn_f32 *from;
        int32_t side[4];
        int32_t i;
        if (!((of >= 0) && (of < (tarn_acc_f32)p->images))) {
            return -1;
        }
        from = x + ((ptrdiff_t)(int32_t)of * p->lines * p->pixels * p->channels);
        for (i = 0; i < 4; ++i) {
            side[i] = maxroipool_round_f32(tarn_load_f32(r[1 + i]) * p->scale);
        }
        for (i = 0; i < (p->out_lines * p->out_pixels); ++i) {
            int32_t top, bottom, left, right;
            int32_t c;
            maxroipool_part_f32(side[1], side[3], i / p->out_pixels, p->out_lines, p->lines, &top, &bottom);
            maxroipool_part_f32(side[0], side[2], i % p->out_pixels, p->out_pixels, p->pixels, &left, &right);
            for (c = 0; c < p->channels; ++c) {
                tarn_acc_f32 best = ((top < bottom) && (left < right)) ? tarn_lowest_f32 : 0;
                int32_t line;
                for (line = top; line < bottom; ++line) {
                    int32_t pixel;
                    for (pixel = left; pixel < right; ++pixel) {
                        const tarn_acc_f32 v = tarn_load_f32(from[(((line * p->pixels) + pixel) * p->channels) + c]);
                        best = (v > best) ? v : best;
                    }
                }
                y_at[c] = tarn_store_f32(best);
            }
            y_at += p->channels;
        }
    }
    return 0;
}
