/* SPDX-License-Identifier: MIT-0
 * A tensor of float becomes a state in 8 bits, each column at the least scale that holds it. */
#ifndef TARN_STATE_ENCODE_H
#define TARN_STATE_ENCODE_H

#include "tarn_state.h"

TARN_BEGIN_C

/* x: `count` elements; y: `columns` scales and `count` codes, in no memory of x. */
TARN_API void tarn_state_encode(const tarn_state_params *p, const float *x, int8_t *y);

TARN_END_C
#endif
