/* SPDX-License-Identifier: MIT-0
 * Sums of products over weights that are stored in fewer bits (w16, w8, w4: bits a weight), widened in registers and never
 * kept. A weight is (code - zero) * scale, which float holds exactly; sums run over k upwards, as those of tarn_block_f32.h
 * do: with the same weights the results have the same bits, and no pixel's result depends on the pixels beside it.
 *
 * Four rows of weights (outputs) stand side by side, [k][4] codes: w16: float16; w8: 8 bits, biased by 128; w4: 4 bits,
 * biased by 8, in two bytes, the low bits first; w2: 2 bits, biased by 2, in one byte. `block` elements k of a row share a
 * scale and a zero (int8): [ceil(columns / block)][4]. Scales are bfloat16; w8h, w4h, w2h: float16; w8s, w4s, w2s: float32, as
 * two halves, the low one first. */
#ifndef TARN_CODED_F32_H
#define TARN_CODED_F32_H

#include "tarn_block_f32.h"
#include "tarn_math_bfloat16.h"
#include "tarn_math_half.h"

#define TARN_CODED_W16 16
#define TARN_CODED_W8 8
#define TARN_CODED_W4 4
#define TARN_CODED_W2 2
#define TARN_CODED_WIDTH 31
#define TARN_CODED_BYTES(bits) (((bits) & TARN_CODED_WIDTH) / 2) /* of an element k of four rows */
#define TARN_CODED_HALF_SCALES 32
#define TARN_CODED_FLOAT_SCALES 64
#define TARN_CODED_W8H (TARN_CODED_W8 | TARN_CODED_HALF_SCALES)
#define TARN_CODED_W4H (TARN_CODED_W4 | TARN_CODED_HALF_SCALES)
#define TARN_CODED_W2H (TARN_CODED_W2 | TARN_CODED_HALF_SCALES)
#define TARN_CODED_W8S (TARN_CODED_W8 | TARN_CODED_FLOAT_SCALES)
#define TARN_CODED_W4S (TARN_CODED_W4 | TARN_CODED_FLOAT_SCALES)
#define TARN_CODED_W2S (TARN_CODED_W2 | TARN_CODED_FLOAT_SCALES)

/* How the codes of a layer lie. */
typedef struct {
    int32_t columns;   /* k of a row */
    int32_t block;     /* of them share a scale, 1 to `columns` */
    int32_t quad_step; /* scales from four rows to the next four; 0: all rows share one */
} tarn_coded_layout_f32;

/* Four rows. scale is NULL for w16, zero where all are 0. */
typedef struct {
    const uint8_t *codes;
    const uint16_t *scale;
    const int8_t *zero;
    int32_t block;
} tarn_coded_rows_f32;

typedef struct {
    tarn_quad_f32 scale;
    int32_t zero_a, zero_b, zero_c, zero_d; /* with the bias of the codes */
} tarn_coded_block_f32;

/* The rows from 4 * quad on; `bits` is a constant wherever this is called. */
TARN_FORCE_INLINE tarn_coded_rows_f32 tarn_coded_rows_at_f32(int32_t bits, const tarn_coded_layout_f32 *layout, const uint8_t *w,
                                                             const uint16_t *scale, const int8_t *zero, int32_t quad)
{
    const ptrdiff_t at = (ptrdiff_t)quad * layout->quad_step;
    const ptrdiff_t halves = ((bits & TARN_CODED_FLOAT_SCALES) != 0) ? 2 : 1;
    tarn_coded_rows_f32 rows;
    rows.codes = w + ((ptrdiff_t)quad * layout->columns * TARN_CODED_BYTES(bits));
    rows.scale = (scale != NULL) ? (scale + (at * halves)) : NULL;
    rows.zero = (zero != NULL) ? (zero + at) : NULL;
    rows.block = layout->block;
    return rows;
}

/* A finite float16. */
TARN_FORCE_INLINE float tarn_coded_widened_f32(uint32_t half)
{
#if TARN_USE_ASM && defined(__ARM_FP) && defined(__thumb2__)
    /* Every FPU of these cores has it; compilers that were not told of a format for __fp16 do not say so. */
    float f;
    __asm__("vmov %0,%1\n\tvcvtb.f32.f16 %0,%0" : "=t"(f) : "r"(half));
    return f;
#else
    return tarn_f16_to_f32((uint16_t)half);
#endif
}

/* The same, as its bytes. */
TARN_FORCE_INLINE float tarn_coded_half_f32(const uint8_t *w)
{
    return tarn_coded_widened_f32(w[0] | ((uint32_t)w[1] << 8));
}

/* Scale `lane` of a block. */
TARN_FORCE_INLINE float tarn_coded_scale_f32(int32_t bits, const uint16_t *scale, int32_t lane)
{
    float number;
    if ((bits & TARN_CODED_FLOAT_SCALES) != 0) {
        number = tarn_f32_from_bits(scale[(ptrdiff_t)2 * lane] | ((uint32_t)scale[((ptrdiff_t)2 * lane) + 1] << 16));
    } else if ((bits & TARN_CODED_HALF_SCALES) != 0) {
        number = tarn_coded_widened_f32(scale[lane]);
    } else {
        number = tarn_bf16_to_f32(scale[lane]);
    }
    return number;
}

TARN_FORCE_INLINE tarn_coded_block_f32 tarn_coded_block_at_f32(int32_t bits, const tarn_coded_rows_f32 *rows, int32_t number)
{
    const int32_t bias = 1 << ((bits & TARN_CODED_WIDTH) - 1);
    const int32_t halves = ((bits & TARN_CODED_FLOAT_SCALES) != 0) ? 8 : 4;
    const uint16_t *scale = (bits != TARN_CODED_W16) ? (rows->scale + ((ptrdiff_t)halves * number)) : NULL;
    const int8_t *zero = (rows->zero != NULL) ? (rows->zero + ((ptrdiff_t)4 * number)) : NULL;
    tarn_coded_block_f32 b;
    b.scale.a = (scale != NULL) ? tarn_coded_scale_f32(bits, scale, 0) : 1.0f;
    b.scale.b = (scale != NULL) ? tarn_coded_scale_f32(bits, scale, 1) : 1.0f;
    b.scale.c = (scale != NULL) ? tarn_coded_scale_f32(bits, scale, 2) : 1.0f;
    b.scale.d = (scale != NULL) ? tarn_coded_scale_f32(bits, scale, 3) : 1.0f;
    b.zero_a = bias + ((zero != NULL) ? (int32_t)zero[0] : 0);
    b.zero_b = bias + ((zero != NULL) ? (int32_t)zero[1] : 0);
    b.zero_c = bias + ((zero != NULL) ? (int32_t)zero[2] : 0);
    b.zero_d = bias + ((zero != NULL) ? (int32_t)zero[3] : 0);
    return b;
}

/* Element k of the four rows. */
TARN_FORCE_INLINE tarn_quad_f32 tarn_coded_quad_f32(int32_t bits, const uint8_t *w, const tarn_coded_block_f32 *b)
{
    tarn_quad_f32 q;
    if (bits == TARN_CODED_W16) {
        q.a = tarn_coded_half_f32(w);
        q.b = tarn_coded_half_f32(w + 2);
        q.c = tarn_coded_half_f32(w + 4);
        q.d = tarn_coded_half_f32(w + 6);
    } else if ((bits & TARN_CODED_WIDTH) == TARN_CODED_W8) {
        q.a = (float)((int32_t)w[0] - b->zero_a) * b->scale.a;
        q.b = (float)((int32_t)w[1] - b->zero_b) * b->scale.b;
        q.c = (float)((int32_t)w[2] - b->zero_c) * b->scale.c;
        q.d = (float)((int32_t)w[3] - b->zero_d) * b->scale.d;
    } else if ((bits & TARN_CODED_WIDTH) == TARN_CODED_W2) {
        q.a = (float)((int32_t)(w[0] & 3u) - b->zero_a) * b->scale.a;
        q.b = (float)((int32_t)(((uint32_t)w[0] >> 2) & 3u) - b->zero_b) * b->scale.b;
        q.c = (float)((int32_t)(((uint32_t)w[0] >> 4) & 3u) - b->zero_c) * b->scale.c;
        q.d = (float)((int32_t)((uint32_t)w[0] >> 6) - b->zero_d) * b->scale.d;
    } else {
        q.a = (float)((int32_t)(w[0] & 15u) - b->zero_a) * b->scale.a;
        q.b = (float)((int32_t)((uint32_t)w[0] >> 4) - b->zero_b) * b->scale.b;
        q.c = (float)((int32_t)(w[1] & 15u) - b->zero_c) * b->scale.c;
        q.d = (float)((int32_t)((uint32_t)w[1] >> 4) - b->zero_d) * b->scale.d;
    }
    return q;
}

/* Adds to the sums of `pixels` (1 or 4) pixels, whose inputs begin x_step elements apart, the products of x[0] to x[n - 1] with
 * the elements from `first` on. */
TARN_FORCE_INLINE void tarn_coded_run_f32(int32_t bits, const tarn_coded_rows_f32 *rows, int32_t pixels, const tarn_f32 *x,
                                          int32_t x_step, int32_t first, int32_t n, tarn_quad_f32 *s)
{
    const uint8_t *w = rows->codes + ((ptrdiff_t)first * TARN_CODED_BYTES(bits));
    const tarn_f32 *x0 = x;
    const tarn_f32 *x1 = x0 + x_step;
    const tarn_f32 *x2 = x1 + x_step;
    const tarn_f32 *x3 = x2 + x_step;
    /* Sums in registers. */
    tarn_quad_f32 s0 = s[0];
    tarn_quad_f32 s1 = s[(pixels > 1) ? 1 : 0];
    tarn_quad_f32 s2 = s[(pixels > 1) ? 2 : 0];
    tarn_quad_f32 s3 = s[(pixels > 1) ? 3 : 0];
    int32_t number = (bits == TARN_CODED_W16) ? 0 : (first / rows->block);
    int32_t at = first;
    int32_t left = n;
    while (left > 0) {
        const int32_t whole = (bits == TARN_CODED_W16) ? left : (((number + 1) * rows->block) - at);
        const int32_t count = (whole < left) ? whole : left;
        const tarn_coded_block_f32 b = tarn_coded_block_at_f32(bits, rows, number);
        int32_t k;
        for (k = count; k > 0; --k) {
            const tarn_quad_f32 q = tarn_coded_quad_f32(bits, w, &b);
            tarn_quad_mac_f32(&s0, &q, *x0);
            ++x0;
            if (pixels > 1) {
                tarn_quad_mac_f32(&s1, &q, *x1);
                tarn_quad_mac_f32(&s2, &q, *x2);
                tarn_quad_mac_f32(&s3, &q, *x3);
                ++x1;
                ++x2;
                ++x3;
            }
            w += TARN_CODED_BYTES(bits);
        }
        at += count;
        left -= count;
        ++number;
    }
    s[0] = s0;
    if (pixels > 1) {
        s[1] = s1;
        s[2] = s2;
        s[3] = s3;
    }
}

#endif
