/* SPDX-License-Identifier: MIT-0
 * Blocks of one to three patches for processors with sixteen products of codes at a time, none of which takes the time of more. */
#ifndef TARN_INT_MVE_FEW_H
#define TARN_INT_MVE_FEW_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

/* As tarn_int_mve_outputs() for blocks of one or two patches. */
TARN_API void tarn_int_mve_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                 int32_t count);

TARN_END_C
#endif
