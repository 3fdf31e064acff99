/* SPDX-License-Identifier: MIT-0
 * tarn_requant_near() for processors with floats: the float32 arithmetic that it does in integers, done as it stands. The same bits. */
#ifndef TARN_REQUANT_FLOATS_H
#define TARN_REQUANT_FLOATS_H

#include "tarn_requant.h"

/* What sums are multiplied with, up to the factor that p->unit has too: the product of 31 and 24 bits rounded to 24, and a power of
 * two, which changes no rounding. */
TARN_INLINE float tarn_requant_scale(const tarn_requant_params *p, int32_t m)
{
    float scale = (float)((int64_t)m * p->unit);
    int32_t down = (p->post - p->pre) + 32;
    for (; down >= 16; down -= 16) {
        scale *= 0.0000152587890625F;
    }
    return scale / (float)((int32_t)1 << down);
}

/* The code of a sum whose line t lies in a zone; no exceptions. */
TARN_FORCE_INLINE int32_t tarn_requant_near_floats(const tarn_requant_params *p, float scale, int32_t sum, int32_t t, int32_t m)
{
#if defined(__ARM_FP)
    const int32_t code = ((t - p->half_zone) + (int32_t)(((uint32_t)1 << p->post) >> 1)) >> p->post;
    /* Others are the first or the last, or there is no unit. */
    if ((p->unit != 0) && (code > p->lo) && (code <= p->hi)) {
        const float whole = 12582912.0F; /* floats beside it are the whole numbers */
        return tarn_requant_clamp(p, (int32_t)(((((float)sum * scale) / (float)p->unit) + whole) - whole) + p->zero);
    }
#else
    (void)scale;
#endif
    return tarn_requant_near(p, NULL, 0, sum, t, m);
}

#endif
