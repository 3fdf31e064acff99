/* SPDX-License-Identifier: MIT-0 */
#include "tarn_nms.h"

/* The ends of a box along one axis: 0 for the first coordinate pair, 1 for the second. */
static void nms_ends(const float *box, int32_t axis, int32_t centers, float *from, float *to)
{
    if (centers) {
        const float half = box[axis + 2] / 2.0f;
        *from = box[axis] - half;
        *to = box[axis] + half;
    } else {
        *from = (box[axis] < box[axis + 2]) ? box[axis] : box[axis + 2];
        *to = (box[axis] < box[axis + 2]) ? box[axis + 2] : box[axis];
    }
}

/* Do two boxes overlap by more than `most`, intersection by union? */
static int nms_overlap(const float *a, const float *b, int32_t centers, float most)
{
    float area_a = 1;
    float area_b = 1;
    float shared = 1;
    float both;
    int32_t axis;
    for (axis = 0; axis < 2; ++axis) {
        float a_from;
        float a_to;
        float b_from;
        float b_to;
        float from;
        float to;
        nms_ends(a, axis, centers, &a_from, &a_to);
        nms_ends(b, axis, centers, &b_from, &b_to);
        from = (a_from > b_from) ? a_from : b_from;
        to = (a_to < b_to) ? a_to : b_to;
        if (!(to > from)) {
            return 0;
        }
        area_a *= a_to - a_from;
        area_b *= b_to - b_from;
        shared *= to - from;
    }
    both = area_a + area_b - shared;
    if (!((area_a > 0) && (area_b > 0) && (both > 0))) {
        return 0;
    }
    return (shared / both) > most;
}

/* Is box a to be looked at before box b? */
static int nms_before(const float *scores, int32_t a, int32_t b)
{
    return (scores[a] > scores[b]) || ((scores[a] == scores[b]) && (a < b));
}

/* Lets `box` sink from `hole` into the heap of `count` boxes that has the best on top. */
static void nms_sink(const float *scores, int32_t *order, int32_t count, int32_t hole, int32_t box)
{
    int32_t hole_now = hole;
    for (;;) {
        int32_t child = (2 * hole_now) + 1;
        if (child >= count) {
            break;
        }
        if (((child + 1) < count) && nms_before(scores, order[child + 1], order[child])) {
            ++child;
        }
        if (!nms_before(scores, order[child], box)) {
            break;
        }
        order[hole_now] = order[child];
        hole_now = child;
    }
    order[hole_now] = box;
}

/* Selects boxes of one class; rows of y from `done` on are written. Returns the number of rows afterwards, or -1: no room. */
static int32_t nms_class(const tarn_nms_params *p, const float *boxes, const float *scores, int64_t most, float overlap,
                         const float *least, int64_t *y, int32_t done, int32_t batch, int32_t class_number, int32_t *order)
{
    int32_t done_at = done;
    const int32_t first = done_at;
    int32_t count = 0;
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        if ((scores[i] == scores[i]) && ((least == NULL) || (scores[i] > *least))) {
            order[count] = i;
            ++count;
        }
    }
    for (i = (count / 2) - 1; i >= 0; --i) {
        nms_sink(scores, order, count, i, order[i]);
    }
    while ((count > 0) && ((done_at - first) < most)) {
        const int32_t box = order[0];
        int32_t kept = 1;
        --count;
        nms_sink(scores, order, count, 0, order[count]);
        for (i = first; (i < done_at) && kept; ++i) {
            kept = !nms_overlap(boxes + ((ptrdiff_t)4 * box), boxes + ((ptrdiff_t)4 * (int32_t)y[(3 * i) + 2]), p->centers, overlap);
        }
        if (!kept) {
            continue;
        }
        if (done_at == p->capacity) {
            return -1;
        }
        y[(ptrdiff_t)3 * done_at] = batch;
        y[(3 * done_at) + 1] = class_number;
        y[(3 * done_at) + 2] = box;
        ++done_at;
    }
    return done_at;
}

TARN_API int32_t tarn_nms(const tarn_nms_params *p, const float *boxes, const float *scores, const int64_t *most,
                          const float *overlap, const float *least, int64_t *y, int64_t *found, int32_t *order)
{
    int32_t done = 0;
    int32_t status = 0;
    int32_t batch;
    for (batch = 0; (batch < p->batches) && (status == 0); ++batch) {
        int32_t c;
        for (c = 0; (c < p->classes) && (status == 0); ++c) {
            const int32_t now = nms_class(p, boxes + ((ptrdiff_t)batch * p->count * 4), scores + ((ptrdiff_t)((batch * p->classes) + c) * p->count),
                                          (most != NULL) ? *most : 0, (overlap != NULL) ? *overlap : 0.0f, least, y, done, batch, c, order);
            status = (now < 0) ? -1 : 0;
            done = (now < 0) ? p->capacity : now;
        }
    }
    if (found != NULL) {
        *found = done;
    } else if (done != p->capacity) {
        status = -1;
    } else {
        /* as many as planned */
    }
    return status;
}
