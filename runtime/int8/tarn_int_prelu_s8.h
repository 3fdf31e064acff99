/* SPDX-License-Identifier: MIT-0
 * PRelu of int8 codes to int8 codes, channels last: below zero every channel has a slope of its own. */
#ifndef TARN_INT_PRELU_S8_H
#define TARN_INT_PRELU_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t pixels, channels;
    int32_t x_pitch, y_pitch;   /* elements from one pixel to the next */
    int32_t zero;               /* of x */
} tarn_int_prelu_s8_params;

/* q: {m, c} for what is below zero, by channel, then for all that is not. y may be x. */
TARN_API void tarn_int_prelu_s8(const tarn_int_prelu_s8_params *p, const int8_t *x, const int32_t *q, const int32_t *exceptions,
                                int8_t *y);

TARN_END_C
#endif
