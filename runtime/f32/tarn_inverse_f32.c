/* SPDX-License-Identifier: MIT-0 */
#include "tarn_inverse_f32.h"

/* The row, from k on, with the largest element of column k. */
static int32_t tarn_inverse_f32_pivot(const tarn_acc_f32 *a, int32_t n, int32_t k)
{
    tarn_acc_f32 most = -1;
    int32_t best = k;
    int32_t r;
    for (r = k; r < n; ++r) {
        const tarn_acc_f32 v = a[(r * n) + k];
        const tarn_acc_f32 size = (v < 0) ? -v : v;
        if (size > most) {
            most = size;
            best = r;
        }
    }
    return best;
}

static void tarn_inverse_f32_swap(tarn_acc_f32 *a, int32_t n, int32_t i, int32_t j)
{
    int32_t c;
    for (c = 0; c < n; ++c) {
        const tarn_acc_f32 v = a[(i * n) + c];
        a[(i * n) + c] = a[(j * n) + c];
        a[(j * n) + c] = v;
    }
}

/* a becomes the identity, b what undoes a. */
static void tarn_inverse_f32_one(tarn_acc_f32 *a, tarn_acc_f32 *b, int32_t n)
{
    int32_t k;
    for (k = 0; k < n; ++k) {
        const int32_t best = tarn_inverse_f32_pivot(a, n, k);
        tarn_acc_f32 pivot;
        int32_t r;
        int32_t c;
        if (best != k) {
            tarn_inverse_f32_swap(a, n, k, best);
            tarn_inverse_f32_swap(b, n, k, best);
        }
        pivot = a[(k * n) + k];
        for (c = 0; c < n; ++c) {
            a[(k * n) + c] /= pivot;
            b[(k * n) + c] /= pivot;
        }
        for (r = 0; r < n; ++r) {
            const tarn_acc_f32 factor = a[(r * n) + k];
            if (r == k) {
                continue;
            }
            for (c = 0; c < n; ++c) {
                a[(r * n) + c] -= factor * a[(k * n) + c];
                b[(r * n) + c] -= factor * b[(k * n) + c];
            }
        }
    }
}

TARN_API void tarn_inverse_f32(const tarn_inverse_f32_params *p, const tarn_f32 *x, tarn_acc_f32 *work, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const int32_t count = p->size * p->size;
    tarn_acc_f32 *inverse = work + count;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < count; ++i) {
            work[i] = tarn_load_f32(x[i]);
            inverse[i] = ((i % (p->size + 1)) == 0) ? (tarn_acc_f32)1 : (tarn_acc_f32)0;
        }
        tarn_inverse_f32_one(work, inverse, p->size);
        for (i = 0; i < count; ++i) {
            y_at[i] = tarn_store_f32(inverse[i]);
        }
        x += count;
        y_at += count;
    }
}
