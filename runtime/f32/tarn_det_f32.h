/* SPDX-License-Identifier: MIT-0
 * Determinants by elimination with pivots. */
#ifndef TARN_DET_F32_H
#define TARN_DET_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* `outer` matrices of size times size. */
typedef struct {
    int32_t outer, size;
} tarn_det_f32_params;

/* y: a number per matrix. work: room for one matrix. */
TARN_API void tarn_det_f32(const tarn_det_f32_params *p, const tarn_f32 *x, tarn_f32 *y, tarn_acc_f32 *work);

TARN_END_C
#endif
