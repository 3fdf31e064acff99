/* SPDX-License-Identifier: MIT-0 */
#include "tarn_det_f32.h"

/* Brings the row with the largest element of column k, from row k on, to row k; returns whether rows changed places. */
static int tarn_det_f32_pivot(tarn_acc_f32 *a, int32_t n, int32_t k)
{
    tarn_acc_f32 most = -1;
    int32_t best = k;
    int32_t r;
    int32_t c;
    for (r = k; r < n; ++r) {
        const tarn_acc_f32 v = a[(r * n) + k];
        const tarn_acc_f32 size = (v < 0) ? -v : v;
        if (size > most) {
            most = size;
            best = r;
        }
    }
    if (best == k) {
        return 0;
    }
    for (c = k; c < n; ++c) {
        const tarn_acc_f32 v = a[(k * n) + c];
        a[(k * n) + c] = a[(best * n) + c];
        a[(best * n) + c] = v;
    }
    return 1;
}

static tarn_acc_f32 tarn_det_f32_one(tarn_acc_f32 *a, int32_t n)
{
    tarn_acc_f32 product = 1;
    int32_t k;
    for (k = 0; k < n; ++k) {
        int32_t r;
        if (tarn_det_f32_pivot(a, n, k)) {
            product = -product;
        }
        product *= a[(k * n) + k];
        if (a[(k * n) + k] == 0) {
            return 0;
        }
        for (r = k + 1; r < n; ++r) {
            const tarn_acc_f32 factor = a[(r * n) + k] / a[(k * n) + k];
            int32_t c;
            for (c = k + 1; c < n; ++c) {
                a[(r * n) + c] -= factor * a[(k * n) + c];
            }
        }
    }
    return product;
}

TARN_API void tarn_det_f32(const tarn_det_f32_params *p, const tarn_f32 *x, tarn_f32 *y, tarn_acc_f32 *work)
{
    const int32_t count = p->size * p->size;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < count; ++i) {
            work[i] = tarn_load_f32(x[i]);
        }
        y[o] = tarn_store_f32(tarn_det_f32_one(work, p->size));
        x += count;
    }
}
