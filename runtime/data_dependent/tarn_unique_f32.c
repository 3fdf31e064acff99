/* SPDX-License-Identifier: MIT-0 */
#include "tarn_unique_f32.h"

/* Slice a against slice b: below 0, 0 or above 0. */
static int32_t unique_compare_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, int32_t a, int32_t b)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const tarn_acc_f32 u = tarn_load_f32(x[(((o * p->size) + a) * p->inner) + i]);
            const tarn_acc_f32 v = tarn_load_f32(x[(((o * p->size) + b) * p->inner) + i]);
            if (tarn_is_nan_f32(u) || tarn_is_nan_f32(v)) {
                if (!tarn_is_nan_f32(u) || !tarn_is_nan_f32(v)) {
                    return tarn_is_nan_f32(u) ? 1 : -1;
                }
            } else if (u != v) {
                return (u < v) ? -1 : 1;
            } else {
                /* equal: the next element decides */
            }
        }
    }
    return 0;
}

/* Is slice a to stand before slice b? Equal ones keep their order. */
static int unique_before_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, int32_t a, int32_t b)
{
    const int32_t c = unique_compare_f32(p, x, a, b);
    return (c < 0) || ((c == 0) && (a < b));
}

/* Lets `slice` sink from `hole` into the heap of `count` slices that has the last in order on top. */
static void unique_sink_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, int32_t *order, int32_t count, int32_t hole,
                            int32_t slice)
{
    int32_t hole_now = hole;
    for (;;) {
        int32_t child = (2 * hole_now) + 1;
        if (child >= count) {
            break;
        }
        if (((child + 1) < count) && unique_before_f32(p, x, order[child], order[child + 1])) {
            ++child;
        }
        if (!unique_before_f32(p, x, slice, order[child])) {
            break;
        }
        order[hole_now] = order[child];
        hole_now = child;
    }
    order[hole_now] = slice;
}

/* Sorts the slices; group[i] becomes the place of slice i among the different ones, and order[g] the first slice of group g.
 * Returns how many different ones there are. */
static int32_t unique_groups_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, int32_t *order, int32_t *group)
{
    int32_t groups = 0;
    int32_t i;
    for (i = 0; i < p->size; ++i) {
        order[i] = i;
    }
    for (i = (p->size / 2) - 1; i >= 0; --i) {
        unique_sink_f32(p, x, order, p->size, i, order[i]);
    }
    for (i = p->size - 1; i > 0; --i) {
        const int32_t slice = order[i];
        order[i] = order[0];
        unique_sink_f32(p, x, order, i, 0, slice);
    }
    for (i = 0; i < p->size; ++i) {
        /* order[0 .. groups) is read no more as the sorted list, but its last entry is the group's first slice. */
        if ((groups == 0) || (unique_compare_f32(p, x, order[groups - 1], order[i]) != 0)) {
            group[order[i]] = groups;
            order[groups] = order[i];
            ++groups;
        } else {
            group[order[i]] = groups - 1;
        }
    }
    return groups;
}

/* Numbers the groups by the slice in which each occurs first. */
static void unique_renumber_f32(const tarn_unique_f32_params *p, int32_t *order, int32_t *group)
{
    int32_t next = 0;
    int32_t i;
    /* order[g]: minus one less than the new number of group g, once it has one. */
    for (i = 0; i < p->size; ++i) {
        if (order[group[i]] == i) {
            order[group[i]] = -1 - next;
            ++next;
        }
        group[i] = -1 - order[group[i]];
    }
    for (i = p->size - 1; i >= 0; --i) {
        order[group[i]] = i;
    }
}

TARN_API int32_t tarn_unique_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, tarn_f32 *y, int64_t *first, int64_t *inverse,
                                 int64_t *counts, int64_t *found, int32_t *order, int32_t *group)
{
    int32_t groups = unique_groups_f32(p, x, order, group);
    int32_t status = 0;
    int32_t i;
    if (!p->sorted) {
        unique_renumber_f32(p, order, group);
    }
    if (groups > p->capacity) {
        groups = p->capacity;
        status = -1;
    }
    for (i = 0; i < groups; ++i) {
        int32_t o;
        for (o = 0; o < p->outer; ++o) {
            int32_t k;
            for (k = 0; k < p->inner; ++k) {
                y[(((o * groups) + i) * p->inner) + k] = x[(((o * p->size) + order[i]) * p->inner) + k];
            }
        }
        if (first != NULL) {
            first[i] = order[i];
        }
        if (counts != NULL) {
            counts[i] = 0;
        }
    }
    for (i = 0; i < p->size; ++i) {
        if (inverse != NULL) {
            inverse[i] = group[i];
        }
        if ((counts != NULL) && (group[i] < groups)) {
            ++counts[group[i]];
        }
    }
    if (found != NULL) {
        *found = groups;
    }
    return status;
}
