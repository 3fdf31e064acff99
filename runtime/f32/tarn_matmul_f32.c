/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_f32.h"
#include "tarn_block_f32.h"

/* `rows` (4 or 1) rows by `columns` (4 or 1) columns of the product. */
TARN_FORCE_INLINE void matmul_tile_f32(const tarn_matmul_f32_params *p, const tarn_f32 *a, const tarn_f32 *b,
                          const tarn_f32 *c, tarn_f32 *y, int32_t rows, int32_t columns)
{
    tarn_f32 *y_at = y;
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    tarn_quad_f32 s[4];
    int32_t i;
    int32_t k;
    s[0] = zero;
    s[1] = zero;
    s[2] = zero;
    s[3] = zero;
    for (k = 0; k < p->k; ++k) {
        tarn_quad_f32 q = zero;
        q.a = tarn_load_f32(b[0]);
        if (columns == 4) {
            q.b = tarn_load_f32(b[p->b_column]);
            q.c = tarn_load_f32(b[(ptrdiff_t)2 * p->b_column]);
            q.d = tarn_load_f32(b[(ptrdiff_t)3 * p->b_column]);
        }
        tarn_quad_mac_f32(&s[0], &q, tarn_load_f32(a[0]));
        if (rows == 4) {
            tarn_quad_mac_f32(&s[1], &q, tarn_load_f32(a[p->a_row]));
            tarn_quad_mac_f32(&s[2], &q, tarn_load_f32(a[(ptrdiff_t)2 * p->a_row]));
            tarn_quad_mac_f32(&s[3], &q, tarn_load_f32(a[(ptrdiff_t)3 * p->a_row]));
        }
        a += p->a_column;
        b += p->b_row;
    }
    for (i = 0; i < rows; ++i) {
        tarn_acc_f32 r[4];
        int32_t j;
        r[0] = p->alpha * s[i].a;
        r[1] = p->alpha * s[i].b;
        r[2] = p->alpha * s[i].c;
        r[3] = p->alpha * s[i].d;
        for (j = 0; j < columns; ++j) {
            if (c != NULL) {
                r[j] += p->beta * tarn_load_f32(c[(i * p->c_row) + (j * p->c_column)]);
            }
            y_at[j] = tarn_store_f32(r[j]);
        }
        y_at += p->n;
    }
}

static void matmul_product_f32(const tarn_matmul_f32_params *p, const tarn_f32 *a, const tarn_f32 *b, const tarn_f32 *c,
                        tarn_f32 *y)
{
    int32_t i = 0;
    while (i < p->m) {
        const int32_t rows = ((i + 4) <= p->m) ? 4 : 1;
        int32_t j = 0;
        while (j < p->n) {
            const int32_t columns = ((j + 4) <= p->n) ? 4 : 1;
            const tarn_f32 *left = a + ((ptrdiff_t)i * p->a_row);
            const tarn_f32 *right = b + ((ptrdiff_t)j * p->b_column);
            const tarn_f32 *rest = (c != NULL) ? (c + ((ptrdiff_t)i * p->c_row) + ((ptrdiff_t)j * p->c_column)) : NULL;
            if ((rows == 4) && (columns == 4)) {
                matmul_tile_f32(p, left, right, rest, y + ((ptrdiff_t)i * p->n) + j, 4, 4);
            } else if (rows == 4) {
                matmul_tile_f32(p, left, right, rest, y + ((ptrdiff_t)i * p->n) + j, 4, 1);
            } else if (columns == 4) {
                matmul_tile_f32(p, left, right, rest, y + ((ptrdiff_t)i * p->n) + j, 1, 4);
            } else {
                matmul_tile_f32(p, left, right, rest, y + ((ptrdiff_t)i * p->n) + j, 1, 1);
            }
            j += columns;
        }
        i += rows;
    }
}

TARN_API void tarn_matmul_f32(const tarn_matmul_f32_params *p, const tarn_f32 *a, const tarn_f32 *b,
                              const tarn_f32 *c, tarn_f32 *y)
{
    const tarn_f32 *a_at = a;
    const tarn_f32 *b_at = b;
    tarn_f32 *y_at = y;
    int32_t at[6] = {0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        matmul_product_f32(p, a_at, b_at, c, y_at);
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
