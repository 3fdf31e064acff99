/* SPDX-License-Identifier: MIT-0
 * A tensor of float that goes from run to run in 8 bits: `columns` scales, one byte each, then `count` codes. Element i is
 * its code times the scale of column i % columns. A scale is a power of two, 2^(byte - 128), so that it can be raised where
 * a larger value comes without changing what the others stand for by more than half of the new step; byte 0: all codes of
 * the column are 0. Zeroes in all bytes are a tensor of zeroes.
 *
 * A value is at most one step from what is kept of it, and a step is at most 1/63 of the largest value that the column has
 * held since it was last written as a whole. Values from 2^-126 to the largest float; NaN is kept as 0, infinity as the largest. */
#ifndef TARN_STATE_H
#define TARN_STATE_H

#include "tarn_math_bits.h"

#define TARN_STATE_LEAST 2u   /* the scales 2^-126 to 2^121 */
#define TARN_STATE_MOST 249u

typedef struct {
    int32_t columns, count;
} tarn_state_params;

/* The scale of a column as a float; 0 where it has none. */
TARN_INLINE float tarn_state_scale(int8_t byte)
{
    const uint32_t number = (uint32_t)byte & 255u;
    return (number != 0u) ? tarn_f32_from_bits((number - 1u) << 23) : 0.0f;
}

/* The least scale that holds a value: its code is at most 127. 0 for zero and NaN. */
TARN_INLINE uint32_t tarn_state_scale_for(float value)
{
    const uint32_t bits = tarn_f32_to_bits(value) & ~TARN_F32_SIGN;
    uint32_t number;
    if ((bits == 0u) || (bits > TARN_F32_INF)) {
        return 0u;
    }
    /* 127.5 steps and more would round to 128. */
    number = (bits + 0x10000u) >> 23;
    number = (number > (TARN_STATE_LEAST + 5u)) ? (number - 5u) : TARN_STATE_LEAST;
    return (number < TARN_STATE_MOST) ? number : TARN_STATE_MOST;
}

/* The nearest code at a scale that holds the value, halves away from zero. */
TARN_INLINE int8_t tarn_state_code(float value, uint32_t scale)
{
    float steps;
    if ((scale == 0u) || ((tarn_f32_to_bits(value) & ~TARN_F32_SIGN) > TARN_F32_INF)) {
        return 0;
    }
    steps = value * tarn_f32_from_bits((255u - scale) << 23);
    steps = (steps > 127.0f) ? 127.0f : steps;
    steps = (steps < -127.0f) ? -127.0f : steps;
    return (int8_t)((steps < 0.0f) ? (steps - 0.5f) : (steps + 0.5f));
}

/* A code at a scale `raised` powers of two above its own, halves away from zero. */
TARN_INLINE int8_t tarn_state_raise(int8_t code, uint32_t raised)
{
    const int32_t half = (raised < 9u) ? ((int32_t)1 << (raised - 1u)) : 256;
    const int32_t whole = 2 * half;
    return (int8_t)((code < 0) ? -((half - code) / whole) : ((half + code) / whole));
}

#endif
