/* SPDX-License-Identifier: MIT-0
 * Picks boxes by score and drops those that overlap a better one too much (ONNX, NonMaxSuppression). */
#ifndef TARN_NMS_H
#define TARN_NMS_H

#include "tarn.h"

TARN_BEGIN_C

/* boxes: [batches][count][4], two opposite corners (y, x), or with `centers` 1 the center (x, y), width and height; scores:
 * [batches][classes][count]; capacity: how many rows y has room for. */
typedef struct {
    int32_t batches, classes, count, centers, capacity;
} tarn_nms_params;

/* y: [*found][3]: batch, class and box. most: how many of a class at most, NULL for none; overlap, least: the greatest overlap
 * (intersection by union) with a better box, and the score that a box must exceed; NULL for 0 and for any. order: [count],
 * scratch. found may be NULL when the capacity is what will be found. Outputs share no memory with inputs. Returns 0, or -1 when
 * that is not so or there are more than the capacity. */
TARN_API int32_t tarn_nms(const tarn_nms_params *p, const float *boxes, const float *scores, const int64_t *most,
                          const float *overlap, const float *least, int64_t *y, int64_t *found, int32_t *order);

TARN_END_C
#endif
