/* SPDX-License-Identifier: MIT-0 */
#include "tarn_topk_f32.h"

/* Does element a, of index i, come before b, of index j? */
static int topk_before_f32(tarn_acc_f32 a, int64_t i, tarn_acc_f32 b, int64_t j, int32_t largest)
{
    if (tarn_is_nan_f32(a) || tarn_is_nan_f32(b)) {
        if (tarn_is_nan_f32(a) && tarn_is_nan_f32(b)) {
            return i < j;
        }
        return (tarn_is_nan_f32(a) ? 1 : 0) == largest;
    }
    if (a == b) {
        return i < j;
    }
    return ((a > b) ? 1 : 0) == largest;
}

/* Puts an element into the heap of `count` elements, `pitch` apart, whose first place is free: the last in order comes first. */
static void topk_sift_f32(tarn_f32 *values, int64_t *indices, int32_t pitch, int32_t count, int32_t largest, tarn_f32 value,
                          int64_t index)
{
    int32_t hole = 0;
    for (;;) {
        int32_t child = (2 * hole) + 1;
        if (child >= count) {
            break;
        }
        if (((child + 1) < count) &&
            topk_before_f32(tarn_load_f32(values[(ptrdiff_t)child * pitch]), indices[(ptrdiff_t)child * pitch],
                            tarn_load_f32(values[(ptrdiff_t)(child + 1) * pitch]), indices[(ptrdiff_t)(child + 1) * pitch], largest)) {
            ++child;
        }
        if (!topk_before_f32(tarn_load_f32(value), index, tarn_load_f32(values[(ptrdiff_t)child * pitch]), indices[(ptrdiff_t)child * pitch],
                             largest)) {
            break;
        }
        values[(ptrdiff_t)hole * pitch] = values[(ptrdiff_t)child * pitch];
        indices[(ptrdiff_t)hole * pitch] = indices[(ptrdiff_t)child * pitch];
        hole = child;
    }
    values[(ptrdiff_t)hole * pitch] = value;
    indices[(ptrdiff_t)hole * pitch] = index;
}

/* One row: a heap of the best k so far, then sorted by taking the worst away k times. */
static void topk_row_f32(const tarn_topk_f32_params *p, int32_t k, const tarn_f32 *x, tarn_f32 *values, int64_t *indices)
{
    int32_t i;
    for (i = 0; i < k; ++i) {
        int32_t hole = i;
        while (hole > 0) {
            const int32_t parent = (hole - 1) / 2;
            if (!topk_before_f32(tarn_load_f32(values[(ptrdiff_t)parent * p->inner]), indices[(ptrdiff_t)parent * p->inner],
                                 tarn_load_f32(x[(ptrdiff_t)i * p->inner]), i, p->largest)) {
                break;
            }
            values[(ptrdiff_t)hole * p->inner] = values[(ptrdiff_t)parent * p->inner];
            indices[(ptrdiff_t)hole * p->inner] = indices[(ptrdiff_t)parent * p->inner];
            hole = parent;
        }
        values[(ptrdiff_t)hole * p->inner] = x[(ptrdiff_t)i * p->inner];
        indices[(ptrdiff_t)hole * p->inner] = i;
    }
    for (i = k; i < p->size; ++i) {
        if (topk_before_f32(tarn_load_f32(x[(ptrdiff_t)i * p->inner]), i, tarn_load_f32(values[0]), indices[0], p->largest)) {
            topk_sift_f32(values, indices, p->inner, k, p->largest, x[(ptrdiff_t)i * p->inner], i);
        }
    }
    for (i = k - 1; i > 0; --i) {
        const tarn_f32 value = values[(ptrdiff_t)i * p->inner];
        const int64_t index = indices[(ptrdiff_t)i * p->inner];
        values[(ptrdiff_t)i * p->inner] = values[0];
        indices[(ptrdiff_t)i * p->inner] = indices[0];
        topk_sift_f32(values, indices, p->inner, i, p->largest, value, index);
    }
}

TARN_API int32_t tarn_topk_f32(const tarn_topk_f32_params *p, const tarn_f32 *x, const int64_t *wanted, tarn_f32 *values,
                               int64_t *indices, int64_t *found)
{
    int32_t k = p->k;
    int32_t o;
    int32_t status = 0;
    if ((wanted != NULL) && (*wanted != k)) {
        if ((*wanted < 0) || (*wanted > k) || (found == NULL)) {
            k = 0;
            status = -1;
        } else {
            k = (int32_t)*wanted;
        }
    }
    if (found != NULL) {
        *found = k;
    }
    for (o = 0; (o < p->outer) && (k > 0); ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            topk_row_f32(p, k, x + ((ptrdiff_t)o * p->size * p->inner) + i, values + ((ptrdiff_t)o * k * p->inner) + i, indices + ((ptrdiff_t)o * k * p->inner) + i);
        }
    }
    return status;
}
