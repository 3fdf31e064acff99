/* SPDX-License-Identifier: MIT-0 */
#include "tarn_gather_w8_f32.h"

TARN_API int32_t tarn_gather_w8_f32(const tarn_gather_coded_f32_params *p, const uint8_t *w, const uint16_t *scale,
                                    const int8_t *zero, const void *indices, tarn_f32 *y)
{
    tarn_f32 *to = y;
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        const int32_t at = tarn_index(indices, p->wide, i, p->size);
        tarn_coded_rows_f32 rows;
        tarn_coded_block_f32 b;
        int32_t left = 0;
        int32_t k;
        if (at < 0) {
            return -1;
        }
        rows = tarn_coded_rows_at_f32(TARN_CODED_W8, &p->w, w, scale, zero, at / 4);
        b = tarn_coded_block_at_f32(TARN_CODED_W8, &rows, 0);
        for (k = 0; k < p->w.columns; ++k) {
            tarn_quad_f32 q;
            if (left == 0) {
                b = tarn_coded_block_at_f32(TARN_CODED_W8, &rows, k / p->w.block);
                left = p->w.block;
            }
            --left;
            q = tarn_coded_quad_f32(TARN_CODED_W8, rows.codes + ((ptrdiff_t)k * TARN_CODED_BYTES(TARN_CODED_W8)), &b);
            switch (at & 3) {
            case 0:
                *to = q.a;
                break;
            case 1:
                *to = q.b;
                break;
            case 2:
                *to = q.c;
                break;
            default:
                *to = q.d;
                break;
            }
            ++to;
        }
    }
    return 0;
}
