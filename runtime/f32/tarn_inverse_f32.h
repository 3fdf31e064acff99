/* SPDX-License-Identifier: MIT-0
 * Inverses of matrices, by Gauss-Jordan elimination with pivots. A singular matrix gives infinities and NaN. */
#ifndef TARN_INVERSE_F32_H
#define TARN_INVERSE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* `outer` matrices of size times size. */
typedef struct {
    int32_t outer, size;
} tarn_inverse_f32_params;

/* x and y: the matrices one after the other. work: room for two of them. y shares no memory with x. */
TARN_API void tarn_inverse_f32(const tarn_inverse_f32_params *p, const tarn_f32 *x, tarn_acc_f32 *work, tarn_f32 *y);

TARN_END_C
#endif
