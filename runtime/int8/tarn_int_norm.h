/* SPDX-License-Identifier: MIT-0
 * Normalisation of int8 codes in integers: what a vector's sums make of its elements. */
#ifndef TARN_INT_NORM_H
#define TARN_INT_NORM_H

#include "tarn_math_fixed.h"
#include "tarn_requant.h"

TARN_BEGIN_C

/* d = count * code - sum has the variance count^2 times that of the codes; (epsilon_high, epsilon_low) + (variance << room), below
 * 2^62, is what the root is taken of, room even. A deviation d over that root has z_bits fractional bits. */
typedef struct {
    int32_t epsilon_high, epsilon_low, room;
    int32_t z_bits;
    int32_t post;   /* fractional bits of biases and of hi32(deviation * scale) */
} tarn_int_norm_params;

/* Of a vector: deviation = hi32((count * code * 2^shift + minus_sum) * factor), minus_sum shifted. */
typedef struct {
    uint32_t count, minus_sum;
    int32_t factor;
    uint32_t shift;
} tarn_int_norm_factor;

/* 2^30 over the root of a, which counts units of 2^-32 and is at least a quarter: Newton's steps from a line that is at most 10
 * percent off. */
TARN_INLINE int32_t tarn_int_norm_root(uint32_t a)
{
    const int32_t half = (int32_t)(a >> 1);
    const uint32_t above = a - 0x40000000u;
    int32_t r = 1983738286 - (int32_t)((above >> 2) + (above >> 4));
    int32_t step;
    for (step = 0; step < 4; ++step) {
        /* r * (3 - a * r^2) / 2: squares have 28 fractional bits, their products with a 27. */
        const int32_t rest = 402653184 - tarn_mulhi_s32(half, tarn_mulhi_s32(r, r));
        const uint32_t next = (uint32_t)tarn_mulhi_s32(r, (int32_t)((uint32_t)rest << 2)) << 2;
        r = (next > 2147483647u) ? 2147483647 : (int32_t)next;
    }
    return r;
}

/* From the sums of `count` codes, fewer than 2^15, and of their squares. */
TARN_INLINE tarn_int_norm_factor tarn_int_norm_factor_of(const tarn_int_norm_params *p, int32_t count, int32_t sum, int32_t squares)
{
    tarn_int_norm_factor f = {0, 0, 0, 0};
    const uint64_t epsilon = ((uint64_t)(uint32_t)p->epsilon_high << 32) | (uint32_t)p->epsilon_low;
    const uint64_t variance = (uint64_t)(((int64_t)count * squares) - ((int64_t)sum * sum));
    const uint64_t square = (variance << (uint32_t)p->room) + epsilon;
    if (square != 0u) {
        const uint32_t zeros = tarn_clz_u64(square) & ~1u;
        const int32_t wanted = p->z_bits - 30 + (((int32_t)zeros + p->room) / 2);
        /* Beyond 31 all deviations are 0. */
        f.shift = (wanted < 31) ? (uint32_t)wanted : 31u;
        f.factor = tarn_int_norm_root((uint32_t)((square << zeros) >> 32));
        f.count = (uint32_t)count;
        f.minus_sum = (0u - (uint32_t)sum) << f.shift;
    }
    return f;
}

TARN_FORCE_INLINE int8_t tarn_int_norm_clamp(int32_t code)
{
    int32_t code_now = code;
    if ((uint32_t)(code_now + 128) > 255u) {
        code_now = (code_now < 0) ? -128 : 127;
    }
    return (int8_t)code_now;
}

/* The code of a deviation d; the bias holds the zero point, and what rounds to the nearest code. */
TARN_FORCE_INLINE int8_t tarn_int_norm_code(int32_t d, int32_t factor, int32_t scale, int32_t bias, int32_t post)
{
    return tarn_int_norm_clamp((bias + tarn_mulhi_s32(tarn_mulhi_s32(d, factor), scale)) >> post);
}

TARN_END_C
#endif
