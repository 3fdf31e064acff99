/* SPDX-License-Identifier: MIT-0
 * Part of the sums of three pixels times two outputs at a time; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_PART_H
#define TARN_INT_DSP_PART_H

#include "tarn_int_dsp_patches.h"
#include "tarn_int_dsp_requant.h"

TARN_BEGIN_C

#if TARN_INT_DSP_ASM
/* Four weights of the first output to r6 and r7, and of the second to r8 and r11. */
#define TARN_INT_DSP_PART_WEIGHTS                                                                         \
    "ldrd r6,r8,[r1],#8\n\t"                                                                              \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"
#else
/* Of both outputs, for the code that stands at place k of four. */
TARN_INLINE void tarn_int_dsp_part_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    static const int32_t place[4] = {0, 2, 1, 3};
    *a = w[place[k]];
    *b = w[4 + place[k]];
}
#endif

/* The assembly counts on the order of the members. */
typedef struct {
    const int16_t *x, *end;     /* [k/4][3 pixels][4] widened codes, k a multiple of 8 */
    int32_t *sums, *sums_end;   /* [outputs/2][2 outputs][3 pixels] */
    int32_t skip;               /* bytes from behind a pair's weights to those of the next */
    int32_t pixels;             /* 1 to 3; sums of others stay what they are */
} tarn_int_dsp_part_state;

/* Widens n codes of each of three pixels, a multiple of 4, as they stand in x above, and moves the pointers behind them. */
TARN_API void tarn_int_dsp_widen_three(int16_t *d, const int8_t **from, int32_t n);

/* What the sums of the second output of a pair begin with, and what they are in the end; q: {begin, m, c} of both. */
TARN_INLINE int32_t tarn_int_dsp_part_begin(const int32_t *q) { return q[1]; }
TARN_INLINE int32_t tarn_int_dsp_part_second(const int32_t *sums, const int32_t *q)
{
    (void)q;
    return sums[3];
}

/* Adds to s->sums. w: [outputs/2][k/4][2 outputs][4], aligned to 4. */
TARN_API void tarn_int_dsp_part(const tarn_int_dsp_part_state *s, const int8_t *w);

TARN_END_C
#endif
