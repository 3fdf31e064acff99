/* SPDX-License-Identifier: MIT-0
 * Blocks of one or two patches over weights of 2 bits, in the time of three. */
#ifndef TARN_INT_MVE2_FEW_H
#define TARN_INT_MVE2_FEW_H

#include "tarn_int_mve2.h"

/* No patch stays in registers. */
#define TARN_INT_MVE2_SHORT 0

TARN_BEGIN_C

/* As tarn_int_mve2_outputs(). */
TARN_API void tarn_int_mve2_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                  int32_t count);

TARN_END_C
#endif
