/* SPDX-License-Identifier: MIT-0
 * Probabilities of classes from those of all pairs of classes. */
#ifndef TARN_PAIR_PROBABILITIES_F32_H
#define TARN_PAIR_PROBABILITIES_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t examples, classes;
} tarn_pair_probabilities_f32_params;

/* x[examples][pairs]: how probable the first class is, of the pairs (0, 1), (0, 2), ... (1, 2), ...; above 0 and below 1.
 * y[examples][classes], which may not lie over x. q: [classes][classes + 1], scratch. The second method of Wu, Lin and Weng,
 * Probability estimates for multi-class classification by pairwise coupling, JMLR 5 (2004). */
TARN_API void tarn_pair_probabilities_f32(const tarn_pair_probabilities_f32_params *p, const tarn_f32 *x, tarn_acc_f32 *q, tarn_f32 *y);

TARN_END_C
#endif
