/* SPDX-License-Identifier: MIT-0 */
#include "tarn_ring_put_f32.h"
#include "tarn_copy.h"

TARN_API void tarn_ring_put_f32(const tarn_ring_put_f32_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    const tarn_copy_params one = {1, p->ring.row * (int32_t)sizeof(tarn_f32), 0, 0, 0, 0};
    const tarn_f32 *from = x;
    int32_t oldest = (int32_t)tarn_load_f32(y[0]);
    int32_t row;
    for (row = 0; row < p->added; ++row) {
        tarn_copy(&one, from, &y[tarn_ring_row_f32(&p->ring, oldest)]);
        from += p->ring.row;
        ++oldest;
        oldest = (oldest < p->ring.rows) ? oldest : 0;
    }
    y[0] = tarn_store_f32((tarn_acc_f32)oldest);
}
