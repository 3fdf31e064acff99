/* SPDX-License-Identifier: MIT-0
 * Dropout while training: some elements become zero, the others grow (ONNX, Dropout). The same draws in every run. */
#ifndef TARN_DROPOUT_F32_H
#define TARN_DROPOUT_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t count;
    int32_t seed; /* its bits */
} tarn_dropout_f32_params;

/* ratio: the share to drop, NULL for a half; training: 0 leaves x as it is, NULL is 1. state: [624], scratch: the generator is
 * the Mersenne Twister of Matsumoto and Nishimura (1998). mask: 1 where an element stays; may be NULL. y may be x. */
TARN_API void tarn_dropout_f32(const tarn_dropout_f32_params *p, const tarn_f32 *x, const tarn_f32 *ratio, const uint8_t *training,
                               uint32_t *state, tarn_f32 *y, uint8_t *mask);

TARN_END_C
#endif
