/* SPDX-License-Identifier: MIT-0
 * GRU with any activations. */
#ifndef TARN_GRU_ANY_F32_H
#define TARN_GRU_ANY_F32_H

#include "tarn_gru_core_f32.h"

TARN_BEGIN_C

/* Operands as of tarn_gru_f32. */
TARN_API void tarn_gru_any_f32(const tarn_gru_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *r,
                               const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0, tarn_f32 *scratch,
                               tarn_f32 *y, tarn_f32 *y_h);

TARN_END_C
#endif
