/* SPDX-License-Identifier: MIT-0
 * What the padding kernels have in common. */
#ifndef TARN_PAD_H
#define TARN_PAD_H

#include "tarn.h"

enum { TARN_PAD_CONSTANT, TARN_PAD_EDGE, TARN_PAD_REFLECT, TARN_PAD_WRAP };

/* y, dense with rank <= 8 axes of out[i] positions of `inner` elements each, takes the in[i] positions of x that begin at
 * `offset` and lie stride[i] elements apart; the first of them is position begin[i] of y. */
typedef struct {
    int32_t rank, mode, inner, offset;
    int32_t in[8], out[8], begin[8], stride[8];
} tarn_pad_params;

/* Which of `in` positions stands at `at`, counted from the first; -1: the padding value. */
TARN_INLINE int32_t tarn_pad_source(int32_t mode, int32_t in, int32_t at)
{
    int32_t at_now = at;
    int32_t period;
    if ((at_now >= 0) && (at_now < in)) {
        return at_now;
    }
    if ((mode == TARN_PAD_CONSTANT) || (in == 0)) {
        return -1;
    }
    if (mode == TARN_PAD_EDGE) {
        return (at_now < 0) ? 0 : (in - 1);
    }
    period = ((mode == TARN_PAD_WRAP) || (in == 1)) ? in : (2 * (in - 1));
    at_now %= period;
    if (at_now < 0) {
        at_now += period;
    }
    return (at_now < in) ? at_now : (period - at_now);
}

#endif
