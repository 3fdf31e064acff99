/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dense_sparse_f32.h"
#include "tarn_sparse_f32.h"

TARN_API void tarn_dense_sparse_f32_line(const tarn_dense_sparse_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                         const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, int32_t first,
                                         int32_t end, int32_t block)
{
    const tarn_f32 *x_at = x + ((ptrdiff_t)first * p->x_pitch);
    const tarn_f32 *r_at = (r != NULL) ? (r + ((ptrdiff_t)first * p->r_pitch)) : NULL;
    tarn_f32 *y_at = y + ((ptrdiff_t)first * p->y_pitch);
    int32_t pixel;
    (void)block;
    for (pixel = first; pixel < end; ++pixel) {
        tarn_sparse_f32 at;
        int32_t o;
        at.w = w;
        at.gaps = gaps;
        for (o = 0; o < p->outputs; ++o) {
            const tarn_acc_f32 begin = (b != NULL) ? tarn_load_f32(b[o]) : 0;
            const tarn_acc_f32 sum = tarn_sparse_row_f32(&at, begin, x_at);
            y_at[o] = tarn_sparse_finish_f32(sum, (r_at != NULL) ? (r_at + o) : NULL, p->lo, p->hi);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
        r_at = (r_at != NULL) ? (r_at + p->r_pitch) : NULL;
    }
}

TARN_API void tarn_dense_sparse_f32(const tarn_dense_sparse_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                    const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y)
{
    tarn_dense_sparse_f32_line(p, x, w, gaps, b, r, y, 0, p->pixels, 0);
}
