/* SPDX-License-Identifier: MIT-0
 * From an exact sum to a 16-bit code: the nearest to sum * slope + offset, ties to even. */
#ifndef TARN_WIDE_H
#define TARN_WIDE_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t lo, hi;     /* of the codes */
    int32_t parity;     /* of the zero point */
    int32_t near;       /* what lies no farther from halfway between two codes lies there */
} tarn_wide_params;

/* The code of t = sum * 2^shift, half a step included. */
TARN_FORCE_INLINE int32_t tarn_wide_round(const tarn_wide_params *p, int64_t t, int32_t shift)
{
    const int64_t u = t + p->near;
    int64_t code = t >> shift;
    if (((uint64_t)u & (((uint64_t)1 << shift) - 1u)) <= (2u * (uint64_t)(uint32_t)p->near)) {
        code = u >> shift;
        code -= (code ^ p->parity) & 1;
    }
    code = (code < p->lo) ? p->lo : code;
    code = (code > p->hi) ? p->hi : code;
    return (int32_t)code;
}

/* q: {m, shift, low word of c, high word of c}: t = sum * m + c, which stays within 63 bits. */
TARN_FORCE_INLINE int64_t tarn_wide_line(const int32_t *q, int64_t sum)
{
    return (sum * q[0]) + (int64_t)(((uint64_t)(uint32_t)q[3] << 32) | (uint32_t)q[2]);
}

TARN_FORCE_INLINE int32_t tarn_wide_code(const tarn_wide_params *p, const int32_t *q, int64_t sum)
{
    return tarn_wide_round(p, tarn_wide_line(q, sum), q[1]);
}

TARN_END_C
#endif
