/* SPDX-License-Identifier: MIT-0
 * Transposed convolutions as several convolutions: the outputs that stand a stride apart meet the same taps, so that those of one
 * phase are a convolution with a part of the weights. */
#ifndef TARN_INT_TRANSPOSED_H
#define TARN_INT_TRANSPOSED_H

#include "tarn.h"

TARN_BEGIN_C

#define TARN_INT_TRANSPOSED_ROWS 8 /* of the kernel that reach one line, at most */

/* Pixels of a phase within a piece of a line, `stride` apart. */
typedef struct {
    int32_t taps;
    int32_t pixel, count;
    int32_t pad; /* of the convolution that these pixels are */
} tarn_int_phase;

/* How many of n taps are those of a phase: phase, phase + stride ... */
TARN_FORCE_INLINE int32_t tarn_int_phase_taps(int32_t n, int32_t stride, int32_t phase)
{
    return (n - phase + stride - 1) / stride;
}

TARN_FORCE_INLINE tarn_int_phase tarn_int_phase_of(int32_t n, int32_t stride, int32_t pad, int32_t phase, int32_t first, int32_t end)
{
    const int32_t late = (first + pad) % stride;
    tarn_int_phase of;
    of.taps = tarn_int_phase_taps(n, stride, phase);
    of.pixel = first + ((phase < late) ? (phase + stride - late) : (phase - late));
    of.count = (of.pixel < end) ? (((end - 1 - of.pixel) / stride) + 1) : 0;
    of.pad = of.taps - 1 - ((of.pixel + pad) / stride);
    return of;
}

/* The phase of a line and the input lines that reach it: x[i], NULL where there is none, belongs to row i of the kernel. Where none
 * does, any phase is right. */
TARN_FORCE_INLINE int32_t tarn_int_phase_lines(const int8_t *const *x, int32_t rows, int32_t stride, const int8_t **lines)
{
    int32_t phase = 0;
    int32_t row;
    for (row = 0; row < rows; ++row) {
        if (x[row] != NULL) {
            phase = row % stride;
            break;
        }
    }
    for (row = phase; row < rows; row += stride) {
        lines[row / stride] = x[row];
    }
    return phase;
}

TARN_END_C
#endif
