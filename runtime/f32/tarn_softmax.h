/* SPDX-License-Identifier: MIT-0
 * What Softmax, LogSoftmax and Hardmax have in common. */
#ifndef TARN_SOFTMAX_H
#define TARN_SOFTMAX_H

#include "tarn.h"

/* Vectors of `count` elements, `inner` elements apart, so that `inner` vectors are interleaved; `outer` such bundles,
 * x_pitch and y_pitch elements apart. */
typedef struct {
    int32_t outer, count, inner, x_pitch, y_pitch;
} tarn_softmax_params;

#endif
