/* SPDX-License-Identifier: MIT-0
 * tarn_int_dsp_part() over weights two to a half of a word; see tarn_int_dsp_halves_block.h. */
#ifndef TARN_INT_DSP_HALVES_PART_H
#define TARN_INT_DSP_HALVES_PART_H

#include "tarn_int_dsp_halves_block.h"
#include "tarn_int_dsp_requant.h"

TARN_BEGIN_C

#if TARN_INT_DSP_HALVES_ASM
/* Low bytes to r6 and r7, and whole halves to r8 and r11. */
#define TARN_INT_DSP_HALVES_PART_WEIGHTS "ldrd r8,r11,[r1],#8\n\tsxtb16 r6,r8\n\tsxtb16 r7,r11\n\t"
#else
TARN_INLINE void tarn_int_dsp_halves_part_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    *a = w[(ptrdiff_t)2 * k];
    *b = w[(2 * k) + 1] + ((*a < 0) ? 1 : 0);
}
#endif

/* The assembly counts on the order of the members, as of tarn_int_dsp_part_state. */
typedef struct {
    const int16_t *x, *end;     /* [k/4][3 pixels][4] widened codes, k a multiple of 8 */
    int32_t *sums, *sums_end;   /* [outputs/2][2 outputs][3 pixels]; in assembly the second are sums of whole halves */
    int32_t skip;               /* bytes from behind a pair's weights to those of the next */
    int32_t pixels;             /* 1 to 3; sums of others stay what they are */
} tarn_int_dsp_halves_part_state;

/* All sums of a pair begin as the first output's, whose share they lose: what overflows does no harm. */
TARN_INLINE int32_t tarn_int_dsp_halves_part_begin(const int32_t *q) { return q[TARN_INT_DSP_HALVES_ASM ? 0 : 1]; }
TARN_INLINE int32_t tarn_int_dsp_halves_part_second(const int32_t *sums, const int32_t *q)
{
#if TARN_INT_DSP_HALVES_ASM
    return q[1] + ((int32_t)((uint32_t)sums[3] - (uint32_t)sums[0]) >> 8);
#else
    (void)q;
    return sums[3];
#endif
}

/* As tarn_int_dsp_widen_three() and tarn_int_dsp_part(); w: [outputs/2][k/4][4] halves for k = 0, 2, 1, 3. */
TARN_API void tarn_int_dsp_halves_widen_three(int16_t *d, const int8_t **from, int32_t n);
TARN_API void tarn_int_dsp_halves_part(const tarn_int_dsp_halves_part_state *s, const int8_t *w);

typedef tarn_int_dsp_form tarn_int_dsp_halves_form;

TARN_FORCE_INLINE tarn_int_dsp_halves_form tarn_int_dsp_halves_form_of(const tarn_requant_params *p, const int32_t *exceptions)
{
    return tarn_int_dsp_form_of(p, exceptions);
}

TARN_FORCE_INLINE int8_t tarn_int_dsp_halves_requant(const tarn_int_dsp_halves_form *f, int32_t channel, int32_t acc, int32_t m, int32_t c)
{
    return tarn_int_dsp_requant(f, channel, acc, m, c);
}

TARN_END_C
#endif
