/* SPDX-License-Identifier: MIT-0
 * Pairs of 16-bit products for processors with them (Cortex-M4, M7, M33, M55), in plain C elsewhere. Codes are widened four at a
 * time into two words, (0, 2) and (1, 3), so that codes and weights meet without being reordered. */
#ifndef TARN_INT_DSP_H
#define TARN_INT_DSP_H

#include "tarn_requant.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__)
#define TARN_INT_DSP_ASM 1
#else
#define TARN_INT_DSP_ASM 0
#endif

TARN_BEGIN_C

/* All outputs of up to three pixels. */
typedef struct {
    const int16_t *x, *end;             /* [k/4][3 pixels][4] widened codes, k a multiple of 8 */
    const int32_t *q;                   /* {begin, m, c} times two outputs */
    int8_t *y;                          /* the next output of the first pixel */
    int32_t second, third;              /* bytes from the first pixel to the others; 0: they are not there */
    int8_t *y_end;
    int32_t pre, mask, post;            /* of the form */
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int8_t *y_first;
    int32_t sums[6];                    /* [2 outputs][3 pixels] */
} tarn_int_dsp_block_state;

/* Writes s->y up to s->y_end, an even number of outputs. w: [outputs/2][k/4][2 outputs][4], aligned to 4. The form's clamp is
 * that of int8. */
TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s, const int8_t *w);

/* Writes two outputs of all pixels from s->sums, with any clamp. */
TARN_API void tarn_int_dsp_near(const tarn_int_dsp_block_state *s);

/* Sums of products for 2 outputs of 3 pixels: fills s->sums; w as above, of this pair. */
TARN_API void tarn_int_dsp_dot(tarn_int_dsp_block_state *s, const int8_t *w);

/* One line of one channel of a 3 x 3 depthwise convolution. */
typedef struct {
    int32_t pre, c, mask, post, pitch;  /* pitch: bytes from one output to the next */
    int8_t *y_end;
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int32_t channel;
    int32_t stride;                     /* bytes of x from one output to the next */
    const int16_t *x;                   /* columns of 16 elements: lines 0, 2, 1 and anything, for each of four channels */
    int8_t *y;
    int32_t m, begin;
} tarn_int_dsp_line;

/* w: for each column the weights of lines 0, 1, 2 and of the fourth element. */
TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s, const int8_t *w);

/* Four channels of three lines, pixel by pixel, become such columns at d up to `end`. */
typedef struct {
    const int8_t *a, *b, *c;
    int32_t a_step, b_step, c_step;
    int16_t *d, *end;
} tarn_int_dsp_lines;
TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s);

/* Four sums of one pixel: x to end: codes, a multiple of 4; w: [k/4][4 outputs][4]; sums are added to. w is aligned to 4. */
TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

/* Four channels of one pixel: taps to end point at their codes, `channel` further on; a multiple of 3; w: [taps][4]. */
TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums);

/* Widens n codes, a multiple of 4, to d, d + 12, ... four at a time; returns where the next ones go. */
TARN_API int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n);

TARN_END_C
#endif
