/* SPDX-License-Identifier: MIT-0
 * tarn_dense_f32() over weights that are stored in fewer bits: y[p][o] = clamp(b[o] + sum over k of x[p][k] * w[o][k] + r[p][o]).
 * A weight is (code - zero) * scale, which float holds exactly; sums run over k upwards, as those of tarn_dense_f32() do: with
 * the same weights the results have the same bits. No weight is kept in memory once it has been widened. */
#ifndef TARN_DENSE_CODED_F32_H
#define TARN_DENSE_CODED_F32_H

#include "tarn_block_f32.h"
#include "tarn_math_bfloat16.h"
#include "tarn_math_half.h"

TARN_BEGIN_C

/* With blocks = ceil(inputs / block):
 * w: [ceil(outputs/4)][inputs] times four codes: float16; int8; or 4 bits, biased by 8, in two bytes, the low bits first.
 * scale: bfloat16, [ceil(outputs/4)][blocks][4], or [4] for all when quad_step is 0; NULL for float16.
 * zero: as many int8, or NULL where all are 0. b, r, y as in tarn_dense_f32(). */
typedef struct {
    int32_t pixels;                    /* rows of the product */
    int32_t inputs, outputs;           /* k and o; inputs > 0 */
    int32_t x_pitch, y_pitch, r_pitch; /* elements from one pixel to the next */
    int32_t block_first, block_end;    /* the pixels in which four may be computed at a time */
    int32_t block;                     /* inputs that share a scale, 1 to `inputs` */
    int32_t quad_step;                 /* scales from four outputs to the next four */
    tarn_acc_f32 lo, hi;
} tarn_dense_coded_f32_params;

#define TARN_CODED_W16 16
#define TARN_CODED_W8 8
#define TARN_CODED_W4 4

typedef struct {
    tarn_quad_f32 scale;
    int32_t zero[4];
} tarn_coded_block_f32;

TARN_FORCE_INLINE tarn_coded_block_f32 tarn_coded_block_load_f32(int32_t bits, const uint16_t *scale, const int8_t *zero)
{
    tarn_coded_block_f32 b = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    if (bits != TARN_CODED_W16) {
        const int32_t bias = (bits == TARN_CODED_W4) ? 8 : 0;
        int32_t i;
        b.scale.a = tarn_bf16_to_f32(scale[0]);
        b.scale.b = tarn_bf16_to_f32(scale[1]);
        b.scale.c = tarn_bf16_to_f32(scale[2]);
        b.scale.d = tarn_bf16_to_f32(scale[3]);
        for (i = 0; i < 4; ++i) {
            b.zero[i] = bias + ((zero != NULL) ? (int32_t)zero[i] : 0);
        }
    }
    return b;
}

/* The weights of four outputs for one input; `bits` is a constant wherever this is called. */
TARN_FORCE_INLINE tarn_quad_f32 tarn_coded_quad_f32(int32_t bits, const uint8_t *w, const tarn_coded_block_f32 *b)
{
    tarn_quad_f32 q;
    if (bits == TARN_CODED_W16) {
        q.a = tarn_f16_to_f32((uint16_t)(w[0] | ((uint32_t)w[1] << 8)));
        q.b = tarn_f16_to_f32((uint16_t)(w[2] | ((uint32_t)w[3] << 8)));
        q.c = tarn_f16_to_f32((uint16_t)(w[4] | ((uint32_t)w[5] << 8)));
        q.d = tarn_f16_to_f32((uint16_t)(w[6] | ((uint32_t)w[7] << 8)));
    } else if (bits == TARN_CODED_W8) {
        q.a = (float)((((int32_t)w[0] ^ 128) - 128) - b->zero[0]) * b->scale.a;
        q.b = (float)((((int32_t)w[1] ^ 128) - 128) - b->zero[1]) * b->scale.b;
        q.c = (float)((((int32_t)w[2] ^ 128) - 128) - b->zero[2]) * b->scale.c;
        q.d = (float)((((int32_t)w[3] ^ 128) - 128) - b->zero[3]) * b->scale.d;
    } else {
        q.a = (float)((int32_t)(w[0] & 15u) - b->zero[0]) * b->scale.a;
        q.b = (float)((int32_t)((uint32_t)w[0] >> 4) - b->zero[1]) * b->scale.b;
        q.c = (float)((int32_t)(w[1] & 15u) - b->zero[2]) * b->scale.c;
        q.d = (float)((int32_t)((uint32_t)w[1] >> 4) - b->zero[3]) * b->scale.d;
    }
    return q;
}

/* Sums for four outputs of `count` (1 or 4) pixels whose inputs begin p->x_pitch elements apart. */
TARN_FORCE_INLINE void tarn_coded_sums_f32(int32_t bits, const tarn_dense_coded_f32_params *p, int32_t count, const tarn_f32 *x,
                                           const uint8_t *w, const uint16_t *scale, const int8_t *zero, tarn_quad_f32 *s)
{
    const uint8_t *w_at = w;
    int32_t first = 0;
    while (first < p->inputs) {
        const int32_t end = ((p->inputs - first) < p->block) ? p->inputs : (first + p->block);
        const ptrdiff_t at = (ptrdiff_t)4 * (first / p->block);
        const tarn_coded_block_f32 b = tarn_coded_block_load_f32(bits, (scale != NULL) ? (scale + at) : NULL,
                                                                 (zero != NULL) ? (zero + at) : NULL);
        int32_t k;
        for (k = first; k < end; ++k) {
            const tarn_quad_f32 q = tarn_coded_quad_f32(bits, w_at, &b);
            tarn_quad_mac_f32(&s[0], &q, x[k]);
            if (count > 1) {
                tarn_quad_mac_f32(&s[1], &q, x[k + p->x_pitch]);
                tarn_quad_mac_f32(&s[2], &q, x[k + (2 * p->x_pitch)]);
                tarn_quad_mac_f32(&s[3], &q, x[k + (3 * p->x_pitch)]);
            }
            w_at += bits / 2;
        }
        first = end;
    }
}

TARN_FORCE_INLINE void tarn_dense_coded_f32(int32_t bits, const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w,
                                            const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r,
                                            tarn_f32 *y, int32_t first, int32_t end, int32_t block)
{
    static const tarn_quad_f32 none = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t count = ((block != 0) && ((pixel + 4) <= end)) ? 4 : 1;
        const tarn_f32 *x_at = x + ((ptrdiff_t)pixel * p->x_pitch);
        int32_t o;
        for (o = 0; o < p->outputs; o += 4) {
            const ptrdiff_t quad = (ptrdiff_t)(o / 4);
            const uint8_t *codes = w + (quad * p->inputs * (bits / 2));
            const uint16_t *scales = (scale != NULL) ? (scale + (quad * p->quad_step)) : NULL;
            const int8_t *zeros = (zero != NULL) ? (zero + (quad * p->quad_step)) : NULL;
            tarn_quad_f32 s[4];
            int32_t i;
            s[0] = (b != NULL) ? tarn_quad_load_f32(b + o) : none;
            s[1] = s[0];
            s[2] = s[0];
            s[3] = s[0];
            if (count > 1) {
                tarn_coded_sums_f32(bits, p, 4, x_at, codes, scales, zeros, s);
            } else {
                tarn_coded_sums_f32(bits, p, 1, x_at, codes, scales, zeros, s);
            }
            for (i = 0; i < count; ++i) {
                const tarn_f32 *rest = (r != NULL) ? (r + ((ptrdiff_t)(pixel + i) * p->r_pitch) + o) : NULL;
                tarn_quad_finish_f32(s[i], rest, bounds, y + ((ptrdiff_t)(pixel + i) * p->y_pitch) + o, p->outputs - o);
            }
        }
        pixel += count;
    }
}

TARN_END_C
#endif
