/* SPDX-License-Identifier: MIT-0
 * tarn_dense_f32() over coded weights (see tarn_coded_f32.h), as text for its kernels:
 * y[p][o] = clamp(b[o] + sum over k of x[p][k] * w[o][k] + r[p][o]). */
#ifndef TARN_DENSE_CODED_F32_H
#define TARN_DENSE_CODED_F32_H

#include "tarn_coded_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t pixels;                    /* rows of the product */
    int32_t outputs;                   /* o */
    int32_t x_pitch, y_pitch, r_pitch; /* elements from one pixel to the next */
    int32_t block_first, block_end;    /* the pixels in which four may be computed at a time */
    tarn_coded_layout_f32 w;           /* columns: k */
    tarn_acc_f32 lo, hi;
} tarn_dense_coded_f32_params;

TARN_FORCE_INLINE void tarn_dense_coded_f32(int32_t bits, const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w,
                                            const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r,
                                            tarn_f32 *y, int32_t first, int32_t end, int32_t block)
{
    static const tarn_quad_f32 none = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t count = ((block != 0) && ((pixel + 4) <= end)) ? 4 : 1;
        const tarn_f32 *x_at = x + ((ptrdiff_t)pixel * p->x_pitch);
        int32_t o;
        for (o = 0; o < p->outputs; o += 4) {
            const tarn_coded_rows_f32 rows = tarn_coded_rows_at_f32(bits, &p->w, w, scale, zero, o / 4);
            tarn_quad_f32 s[4];
            int32_t i;
            s[0] = (b != NULL) ? tarn_quad_load_f32(b + o) : none;
            s[1] = s[0];
            s[2] = s[0];
            s[3] = s[0];
            if (count > 1) {
                tarn_coded_run_f32(bits, &rows, 4, x_at, p->x_pitch, 0, p->w.columns, s);
            } else {
                tarn_coded_run_f32(bits, &rows, 1, x_at, 0, 0, p->w.columns, s);
            }
            for (i = 0; i < count; ++i) {
                const tarn_f32 *rest = (r != NULL) ? (r + ((ptrdiff_t)(pixel + i) * p->r_pitch) + o) : NULL;
                tarn_quad_finish_f32(s[i], rest, bounds, y + ((ptrdiff_t)(pixel + i) * p->y_pitch) + o, p->outputs - o);
            }
        }
        pixel += count;
    }
}

TARN_END_C
#endif
