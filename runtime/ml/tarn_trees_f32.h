/* SPDX-License-Identifier: MIT-0
 * Tree ensembles: every tree leads each example to a leaf, whose weights are put together by target. */
#ifndef TARN_TREES_F32_H
#define TARN_TREES_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t examples, inputs, trees, targets;
    int32_t aggregate; /* 0 sum, 1 least, 2 largest, 3 average over the trees */
} tarn_trees_f32_params;

/* x[examples][inputs], y[examples][targets]. Entry i of a tree: features[i] >= 0 compares x[features[i] / 16] with splits[i]
 * by features[i] % 8 (0 <=, 1 <, 2 >=, 3 >, 4 ==, 5 !=), and NaN too is true with bit 3 set; true goes on at jumps[i], false
 * at i + 1. features[i] < 0: a leaf of -1 - features[i] weights from jumps[i] on, each for the target at the same place.
 * base[targets] is added, NULL: nothing. scratch: targets elements. y may lie over the rows of x that are done. */
TARN_API void tarn_trees_f32(const tarn_trees_f32_params *p, const tarn_f32 *x, const int32_t *features,
                             const tarn_f32 *splits, const int32_t *jumps, const int32_t *roots,
                             const int32_t *leaf_targets, const tarn_f32 *leaf_weights, const tarn_f32 *base,
                             tarn_acc_f32 *scratch, tarn_f32 *y);

TARN_END_C
#endif
