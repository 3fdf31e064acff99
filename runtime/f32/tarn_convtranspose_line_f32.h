/* SPDX-License-Identifier: MIT-0
 * One line of a transposed convolution, gathered from the input lines that reach it: the caller hands those over, so that
 * nothing here knows of images or rings. */
#ifndef TARN_CONVTRANSPOSE_LINE_F32_H
#define TARN_CONVTRANSPOSE_LINE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows, taps;               /* lines and columns of the kernel */
    int32_t stride, pad;              /* along the line; pad: output columns cut off before the first pixel */
    int32_t step;                     /* input pixels from one tap of a phase to the next */
    int32_t in_pixels;                /* length of an input line */
    int32_t groups, inputs, outputs;  /* channels per group */
    int32_t x_pitch, y_pitch;         /* elements from one pixel to the next */
    tarn_acc_f32 lo, hi;
} tarn_convtranspose_line_f32_params;

/* Writes the pixels [first, end) of one line. rows[i]: first pixel of the input line that kernel line i adds to it, NULL
 * where there is none. The pixels whose column plus pad leaves the remainder f by stride are of phase f and use the same
 * taps. phases: per phase how many taps, the first of them, and by how many output columns that one moves an input pixel.
 * w: [groups][ceil(outputs/4)][rows][taps][inputs][4], the taps of a phase side by side, that of the leftmost input pixel first;
 * b: [groups][ceil(outputs/4)][4] or NULL; both zero beyond outputs. block: 4 * stride pixels at a time; else each pixel's
 * inputs are read for the last time before the next pixel is written. */
TARN_API void tarn_convtranspose_line_f32(const tarn_convtranspose_line_f32_params *p, const tarn_f32 *const *rows,
                                          const tarn_f32 *w, const tarn_f32 *b, const int32_t *phases, tarn_f32 *y,
                                          int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
