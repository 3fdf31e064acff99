/* SPDX-License-Identifier: MIT-0
 * Counts short sequences of numbers, with gaps or without (ONNX, TfIdfVectorizer). */
#ifndef TARN_NGRAMS_S32_H
#define TARN_NGRAMS_S32_H

#include "tarn_types_s32.h"

TARN_BEGIN_C

/* x: [rows][columns]; y: [rows][outputs]. Sequences of `least` to `most` numbers are counted; from one to the next number it
 * is up to `skips` + 1 columns. */
typedef struct {
    int32_t rows, columns, outputs, grams, least, most, skips;
} tarn_ngrams_s32_params;

/* The sequences to look for: the g-th has size[g] numbers, which begin at pool[first[g]], and is counted in output[g]. y
 * shares no memory with x. */
TARN_API void tarn_ngrams_s32(const tarn_ngrams_s32_params *p, const tarn_s32 *x, const int64_t *pool, const int32_t *first,
                              const int32_t *size, const int32_t *output, float *y);

TARN_END_C
#endif
