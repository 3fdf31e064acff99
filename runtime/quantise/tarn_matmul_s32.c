/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_s32.h"

static void tarn_matmul_s32_product(const tarn_matmul_s32_params *p, const tarn_s32 *a, const tarn_s32 *b, const tarn_s32 *c,
                                    tarn_s32 *y)
{
    int32_t i;
    for (i = 0; i < p->m; ++i) {
        int32_t j;
        for (j = 0; j < p->n; ++j) {
            const tarn_s32 *left = a + ((ptrdiff_t)i * p->a_row);
            const tarn_s32 *right = b + ((ptrdiff_t)j * p->b_column);
            uint64_t s = 0;
            int32_t k;
            for (k = 0; k < p->k; ++k) {
                s += (uint64_t)*left * (uint64_t)*right;
                left += p->a_column;
                right += p->b_row;
            }
            s *= (uint64_t)p->alpha;
            if (c != NULL) {
                s += (uint64_t)p->beta * (uint64_t)c[(i * p->c_row) + (j * p->c_column)];
            }
            y[(i * p->n) + j] = tarn_store_s32(s);
        }
    }
}

TARN_API void tarn_matmul_s32(const tarn_matmul_s32_params *p, const tarn_s32 *a, const tarn_s32 *b,
                              const tarn_s32 *c, tarn_s32 *y)
{
    const tarn_s32 *a_at = a;
    const tarn_s32 *b_at = b;
    tarn_s32 *y_at = y;
    int32_t at[6] = {0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        tarn_matmul_s32_product(p, a_at, b_at, c, y_at);
        y_at += (ptrdiff_t)p->m * p->n;
        for (axis = p->rank - 1; axis >= 0; --axis) {
            a_at += p->a_batch[axis];
            b_at += p->b_batch[axis];
            if (++at[axis] < p->dims[axis]) {
                break;
            }
            at[axis] = 0;
            a_at -= (ptrdiff_t)p->a_batch[axis] * p->dims[axis];
            b_at -= (ptrdiff_t)p->b_batch[axis] * p->dims[axis];
        }
    } while (axis >= 0);
}
