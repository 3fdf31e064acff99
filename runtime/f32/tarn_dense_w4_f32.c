/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dense_w4_f32.h"

TARN_API void tarn_dense_w4_f32_line(const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w,
                                      const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                      int32_t first, int32_t end, int32_t block)
{
    tarn_dense_coded_f32(TARN_CODED_W4, p, x, w, scale, zero, b, r, y, first, end, block);
}

TARN_API void tarn_dense_w4_f32(const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *scale,
                                 const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y)
{
    tarn_dense_w4_f32_line(p, x, w, scale, zero, b, r, y, 0, p->block_first, 0);
    tarn_dense_w4_f32_line(p, x, w, scale, zero, b, r, y, p->block_first, p->block_end, 1);
    tarn_dense_w4_f32_line(p, x, w, scale, zero, b, r, y, p->block_end, p->pixels, 0);
}
