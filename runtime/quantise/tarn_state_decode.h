/* SPDX-License-Identifier: MIT-0
 * A state in 8 bits as a tensor of float. */
#ifndef TARN_STATE_DECODE_H
#define TARN_STATE_DECODE_H

#include "tarn_state.h"

TARN_BEGIN_C

/* x: `columns` scales and `count` codes; y: `count` elements, in no memory of x. */
TARN_API void tarn_state_decode(const tarn_state_params *p, const int8_t *x, float *y);

TARN_END_C
#endif
