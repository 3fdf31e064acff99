/* SPDX-License-Identifier: MIT-0 */
#include "tarn_trees_f32.h"

static int32_t trees_holds_f32(int32_t feature, tarn_acc_f32 v, tarn_acc_f32 split)
{
    if (((feature & 8) != 0) && tarn_is_nan_f32(v)) {
        return 1;
    }
    switch (feature & 7) {
    case 0:
        return v <= split;
    case 1:
        return v < split;
    case 2:
        return v >= split;
    case 3:
        return v > split;
    case 4:
        return v == split;
    default:
        return v != split;
    }
}

/* Puts a leaf's weight to what its target has so far. */
static tarn_acc_f32 trees_join_f32(int32_t aggregate, tarn_acc_f32 sum, tarn_acc_f32 w)
{
    if (aggregate == 1) {
        return (w < sum) ? w : sum;
    }
    if (aggregate == 2) {
        return (w > sum) ? w : sum;
    }
    return sum + w;
}

TARN_API void tarn_trees_f32(const tarn_trees_f32_params *p, const tarn_f32 *x, const int32_t *features,
                             const tarn_f32 *splits, const int32_t *jumps, const int32_t *roots,
                             const int32_t *leaf_targets, const tarn_f32 *leaf_weights, const tarn_f32 *base,
                             tarn_acc_f32 *scratch, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const tarn_acc_f32 start = (p->aggregate == 1)   ? (tarn_acc_f32)tarn_highest_f32
                               : (p->aggregate == 2) ? (tarn_acc_f32)tarn_lowest_f32
                                                   : (tarn_acc_f32)0;
    int32_t n;
    int32_t t;
    for (n = 0; n < p->examples; ++n) {
        for (t = 0; t < p->targets; ++t) {
            scratch[t] = start;
        }
        for (t = 0; t < p->trees; ++t) {
            int32_t i = roots[t];
            int32_t k;
            while (features[i] >= 0) {
                const tarn_acc_f32 v = tarn_load_f32(x[features[i] >> 4]);
                i = (trees_holds_f32(features[i], v, tarn_load_f32(splits[i])) != 0) ? jumps[i] : (i + 1);
            }
            for (k = jumps[i]; k < (jumps[i] - 1 - features[i]); ++k) {
                const int32_t target = leaf_targets[k];
                scratch[target] = trees_join_f32(p->aggregate, scratch[target], tarn_load_f32(leaf_weights[k]));
            }
        }
        for (t = 0; t < p->targets; ++t) {
            tarn_acc_f32 s = scratch[t];
            if (p->aggregate == 3) {
                s /= (tarn_acc_f32)p->trees;
            } else if ((p->aggregate != 0) && (s == start)) {
                s = 0; /* no leaf speaks of this target */
            } else {
                /* the sum as it is */
            }
            if (base != NULL) {
                s += tarn_load_f32(base[t]);
            }
            y_at[t] = tarn_store_f32(s);
        }
        x += p->inputs;
        y_at += p->targets;
    }
}
