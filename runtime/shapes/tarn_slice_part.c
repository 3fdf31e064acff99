/* SPDX-License-Identifier: MIT-0 */
#include "tarn_slice_part.h"

/* Number i of a list, where that is beyond what an axis can have, a number of the same effect. */
static int64_t slice_part_number(const tarn_slice_part_params *p, const void *list, int32_t i)
{
    const int64_t most = INT32_MAX;
    int64_t v;
    if (p->wide) {
        v = ((const int64_t *)list)[i];
    } else {
        v = ((const int32_t *)list)[i];
    }
    v = (v < -most) ? -most : v;
    return (v > most) ? most : v;
}

static int64_t slice_part_clamp(int64_t v, int64_t lo, int64_t hi)
{
    int64_t v_now = v;
    v_now = (v_now < lo) ? lo : v_now;
    return (v_now > hi) ? hi : v_now;
}

TARN_API int32_t tarn_slice_part_find(const tarn_slice_part_params *p, const void *starts, const void *ends, const void *axes,
                                      const void *steps, int32_t axis, tarn_slice_part_axis *part)
{
    const int64_t size = p->in[axis];
    int32_t given = 0;
    int32_t i;
    part->first = 0;
    part->step = 1;
    part->size = p->in[axis];
    for (i = 0; i < p->count; ++i) {
        int64_t at = (axes != NULL) ? slice_part_number(p, axes, i) : i;
        int64_t first = slice_part_number(p, starts, i);
        int64_t end = slice_part_number(p, ends, i);
        const int64_t step = (steps != NULL) ? slice_part_number(p, steps, i) : 1;
        at = (at < 0) ? (at + p->rank) : at;
        if ((at < 0) || (at >= p->rank) || (step == 0)) {
            return -1;
        }
        if (at != axis) {
            continue;
        }
        ++given;
        first = (first < 0) ? (first + size) : first;
        end = (end < 0) ? (end + size) : end;
        if (step > 0) {
            first = slice_part_clamp(first, 0, size);
            end = slice_part_clamp(end, 0, size);
            part->size = (end > first) ? (int32_t)(((end - first - 1) / step) + 1) : 0;
        } else {
            first = slice_part_clamp(first, 0, size - 1);
            end = slice_part_clamp(end, -1, size - 1);
            part->size = (first > end) ? (int32_t)(((first - end - 1) / -step) + 1) : 0;
        }
        part->first = (part->size > 0) ? (int32_t)first : 0;
        part->step = (part->size > 1) ? (int32_t)step : 1;
    }
    return (given > 1) ? -1 : 0;
}

TARN_API int32_t tarn_slice_part(const tarn_slice_part_params *p, const void *starts, const void *ends, const void *axes,
                                 const void *steps, int64_t *size)
{
    tarn_slice_part_axis part;
    const int32_t status = tarn_slice_part_find(p, starts, ends, axes, steps, p->axis, &part);
    *size = (part.size < p->capacity) ? part.size : p->capacity;
    return ((status != 0) || (part.size > p->capacity)) ? -1 : 0;
}
