/* SPDX-License-Identifier: MIT-0
 * Picks rows of a table of coded weights (w8; see tarn_coded_f32.h), widened: y[i] = w[indices[i]]. */
#ifndef TARN_GATHER_W8_F32_H
#define TARN_GATHER_W8_F32_H

#include "tarn_gather_coded_f32.h"

TARN_BEGIN_C

/* w: [ceil(size/4)] times four rows of codes, scale and zero likewise; y: [count][columns]. Returns 0, or -1 at the first index
 * outside the table; y is incomplete then. */
TARN_API int32_t tarn_gather_w8_f32(const tarn_gather_coded_f32_params *p, const uint8_t *w, const uint16_t *scale,
                                    const int8_t *zero, const void *indices, tarn_f32 *y);

TARN_END_C
#endif
