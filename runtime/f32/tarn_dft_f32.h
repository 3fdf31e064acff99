/* SPDX-License-Identifier: MIT-0
 * Discrete Fourier transform along one axis, forwards or (divided by its length) backwards, point by point. */
#ifndef TARN_DFT_F32_H
#define TARN_DFT_F32_H

#include "tarn_dft.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* table: cosine and sine of each n-th part of the circle, for each length n. axis: NULL for p->axis. y shares no memory with x.
 * Returns 0, or -1 when the axis does not lead to y; y is not written then. */
TARN_API int32_t tarn_dft_f32(const tarn_dft_params *p, const tarn_f32 *x, const tarn_acc_f32 *table, const int64_t *axis,
                              tarn_f32 *y);

TARN_END_C
#endif
