/* SPDX-License-Identifier: MIT-0
 * Turns counts into weights, in place (ONNX, TfIdfVectorizer). */
#ifndef TARN_NGRAMS_WEIGH_H
#define TARN_NGRAMS_WEIGH_H

#include "tarn.h"

TARN_BEGIN_C

/* by_count: each weight is multiplied with the count, else it stands for any count above 0. */
typedef struct {
    int32_t rows, outputs, by_count;
} tarn_ngrams_weigh_params;

/* weights: one per output, or NULL for 1. */
TARN_API void tarn_ngrams_weigh(const tarn_ngrams_weigh_params *p, const float *weights, float *y);

TARN_END_C
#endif
