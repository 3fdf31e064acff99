/* SPDX-License-Identifier: MIT-0
 * Attention whose scores s are capped softly: cap * tanh(s / cap). */
#ifndef TARN_ATTENTION_CAPPED_F32_H
#define TARN_ATTENTION_CAPPED_F32_H

#include "tarn_attention_core_f32.h"

TARN_BEGIN_C

/* Operands as of tarn_attention_f32. */
TARN_API void tarn_attention_capped_f32(const tarn_attention_f32_params *p, const tarn_f32 *q, const tarn_f32 *k,
                                        const tarn_f32 *v, const tarn_f32 *bias, const uint8_t *allowed,
                                        const int64_t *lengths, tarn_acc_f32 *scratch, tarn_f32 *y, tarn_f32 *qk);

TARN_END_C
#endif
