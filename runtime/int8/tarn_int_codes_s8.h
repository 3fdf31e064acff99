/* SPDX-License-Identifier: MIT-0
 * Codes from a run of sums that share their numbers. */
#ifndef TARN_INT_CODES_S8_H
#define TARN_INT_CODES_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

#define TARN_INT_RUN_S8 32 /* sums that pools keep at a time */

/* y[i] = tarn_int_finish_s8(p, q, exceptions, slot, sums[i]) for i in [0, count). */
TARN_API void tarn_int_codes_s8(const tarn_int_form_s8 *p, const int32_t *q, const int32_t *exceptions, int32_t slot,
                                const int32_t *sums, int32_t count, tarn_int_code_s8 *y);

/* Adds `taps` pixels to the sums of four channels. */
TARN_FORCE_INLINE void tarn_int_add_four_s8(int32_t *sums, const tarn_int_code_s8 *x, int32_t taps, ptrdiff_t pitch)
{
    const tarn_int_code_s8 *from = x;
    int32_t tap;
    for (tap = taps; tap > 0; --tap) {
        sums[0] += from[0];
        sums[1] += from[1];
        sums[2] += from[2];
        sums[3] += from[3];
        from += pitch;
    }
}

/* The same for one channel. */
TARN_FORCE_INLINE int32_t tarn_int_add_one_s8(int32_t sum, const tarn_int_code_s8 *x, int32_t taps, ptrdiff_t pitch)
{
    const tarn_int_code_s8 *from = x;
    int32_t total = sum;
    int32_t tap;
    for (tap = taps; tap > 0; --tap) {
        total += *from;
        from += pitch;
    }
    return total;
}

TARN_END_C
#endif
