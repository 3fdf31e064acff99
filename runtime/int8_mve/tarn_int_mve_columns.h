/* SPDX-License-Identifier: MIT-0
 * Lines of 3 x 3 depthwise convolutions for processors with the M-profile vector extension, in plain C elsewhere: three lines
 * become columns of four bytes, of which four at a time meet the weights of a channel. */
#ifndef TARN_INT_MVE_COLUMNS_H
#define TARN_INT_MVE_COLUMNS_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

/* One line of up to sixteen channels. The assembly counts on the order of the members up to `columns`. */
typedef struct {
    int32_t back;               /* bytes from where one channel's columns end to where the next one's begin */
    int8_t *y;                  /* the first channel's first pixel */
    int32_t groups;             /* of four pixels, but for the last one */
    int32_t down;               /* 24 less the form's post */
    const int32_t *q_end;
    int32_t tail;               /* pixels of the last group */
    int32_t pitch;              /* bytes from one pixel of y to the next */
    int32_t pre, mask;          /* of the form; a pre of 0: the mask must be 0 */
    const int8_t *w;            /* [channels][4 columns][4]: nothing, then three columns of three lines and a zero; 4 zeros more */
    const int32_t *q;           /* {begin, m, c} by channel */
    const int8_t *columns;      /* [column][16 channels][4] */
    int32_t stride, pixels;
    int32_t channel;            /* the first one's number */
    const tarn_requant_params *p;
    const int32_t *exceptions;
} tarn_int_mve_line;

/* Writes the line; columns of a last whole group of pixels can be read. stride: 1 or 2. */
TARN_API void tarn_int_mve_line3(const tarn_int_mve_line *s);

/* Writes 2 * `turns` pixels from `pixel` on of all channels, which come in `fours`: the only pixel of a line, or two or more. */
TARN_API void tarn_int_mve_pairs3(const tarn_int_mve_line *s, int32_t pixel, int32_t turns, int32_t fours);

/* Writes the line of one of its channels, or two pixels of four. */
TARN_API void tarn_int_mve_line3_near(const tarn_int_mve_line *s, const int32_t *q);
TARN_API void tarn_int_mve_pair3_near(const tarn_int_mve_line *s, int32_t four, int32_t pixel);

/* `count` columns at d, of up to sixteen channels of three lines that begin at a, b and c and go on every `step` bytes, 0 for one
 * column again and again. Returns the end. */
TARN_API int8_t *tarn_int_mve_columns(int8_t *d, const int8_t *const *from, const int32_t *step, int32_t count, int32_t channels);

TARN_END_C
#endif
