/* SPDX-License-Identifier: MIT-0
 * tarn_conv_line_f32() and tarn_conv2d_f32() over coded weights (see tarn_coded_f32.h), as text for their kernels. */
#ifndef TARN_CONV_LINE_CODED_F32_H
#define TARN_CONV_LINE_CODED_F32_H

#include "tarn_coded_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows;                       /* input lines under the kernel: its height */
    int32_t taps, dilation;             /* columns of the kernel, and pixels from one to the next */
    int32_t stride, pad;                /* along the line; pad: columns before the first pixel */
    int32_t in_pixels;                  /* length of an input line */
    int32_t groups, inputs, outputs;    /* channels per group */
    int32_t x_pitch, y_pitch, r_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 lo, hi;
    tarn_coded_layout_f32 w;            /* columns: rows * taps * inputs */
} tarn_conv_line_coded_f32_params;

typedef struct {
    tarn_conv_line_coded_f32_params line;
    int32_t images, in_lines, out_lines, out_pixels;
    int32_t stride, pad, dilation;              /* across lines */
    int32_t x_line, y_line, r_line;             /* elements from one line to the next */
    int32_t block_first, block_end;             /* the output lines whose pixels may be computed four at a time */
} tarn_images_coded_f32_params;

/* Sums of four outputs of `pixels` (1 or 4) pixels over all lines under the kernel; x_offset: of the first pixel's first tap. */
TARN_FORCE_INLINE void tarn_conv_coded_sums_f32(int32_t bits, const tarn_conv_line_coded_f32_params *p,
                                                const tarn_f32 *const *rows, const tarn_coded_rows_f32 *w, int32_t pixels,
                                                int32_t x_offset, int32_t tap0, int32_t tap1, tarn_quad_f32 *s)
{
    /* Neighbouring taps whose channels lie side by side are one long run. */
    const int32_t joined = (p->dilation * p->x_pitch) == p->inputs;
    const int32_t step = (joined != 0) ? (tap1 - tap0) : 1;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t tap = tap0;
        while ((rows[row] != NULL) && (tap < tap1)) {
            tarn_coded_run_f32(bits, w, pixels, rows[row] + (x_offset + (tap * p->dilation * p->x_pitch)), p->stride * p->x_pitch,
                               ((row * p->taps) + tap) * p->inputs, step * p->inputs, s);
            tap += step;
        }
    }
}

TARN_FORCE_INLINE void tarn_conv_line_coded_f32(int32_t bits, const tarn_conv_line_coded_f32_params *p,
                                                const tarn_f32 *const *rows, const uint8_t *w, const uint16_t *scale,
                                                const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                                int32_t first, int32_t end, int32_t block)
{
    static const tarn_quad_f32 none = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    const int32_t quads = (p->outputs + 3) / 4;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t four = (block != 0) && (at >= 0) && ((pixel + 4) <= end) && ((at + (3 * p->stride) + span) <= p->in_pixels);
        const int32_t count = (four != 0) ? 4 : 1;
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        int32_t group;
        if (four == 0) {
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
        }
        for (group = 0; group < p->groups; ++group) {
            const int32_t x_offset = (at * p->x_pitch) + (group * p->inputs);
            int32_t q;
            for (q = 0; q < quads; ++q) {
                const int32_t quad = (group * quads) + q;
                const tarn_coded_rows_f32 four_rows = tarn_coded_rows_at_f32(bits, &p->w, w, scale, zero, quad);
                const int32_t o = (group * p->outputs) + (4 * q);
                tarn_quad_f32 s[4];
                int32_t i;
                s[0] = (b != NULL) ? tarn_quad_load_f32(b + ((ptrdiff_t)4 * quad)) : none;
                s[1] = s[0];
                s[2] = s[0];
                s[3] = s[0];
                if (four != 0) {
                    tarn_conv_coded_sums_f32(bits, p, rows, &four_rows, 4, x_offset, 0, p->taps, s);
                } else {
                    tarn_conv_coded_sums_f32(bits, p, rows, &four_rows, 1, x_offset, tap0, tap1, s);
                }
                for (i = 0; i < count; ++i) {
                    const tarn_f32 *rest = (r != NULL) ? (r + ((ptrdiff_t)(pixel + i) * p->r_pitch) + o) : NULL;
                    tarn_quad_finish_f32(s[i], rest, bounds, y + ((ptrdiff_t)(pixel + i) * p->y_pitch) + o, p->outputs - (4 * q));
                }
            }
        }
        pixel += count;
    }
}

TARN_END_C
#endif
