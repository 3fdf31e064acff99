/* SPDX-License-Identifier: MIT-0
 * Attention without a soft cap. */
#ifndef TARN_ATTENTION_F32_H
#define TARN_ATTENTION_F32_H

#include "tarn_attention_core_f32.h"

TARN_BEGIN_C

/* q, y: [batch][heads][rows][size or values]; k, v: [batch][heads / group][keys][size or values]; bias, allowed, qk:
 * [batch][heads][rows][keys], in any order of axes, by the steps of the params. bias: NULL for none; allowed: NULL for
 * none; lengths[batch]: keys in use, NULL for all; qk: NULL when not wanted. scratch: `keys` elements. y may lie over q as
 * long as no element of q is overwritten before the row and head in which it stands are done. */
TARN_API void tarn_attention_f32(const tarn_attention_f32_params *p, const tarn_f32 *q, const tarn_f32 *k,
                                 const tarn_f32 *v, const tarn_f32 *bias, const uint8_t *allowed, const int64_t *lengths,
                                 tarn_acc_f32 *scratch, tarn_f32 *y, tarn_f32 *qk);

TARN_END_C
#endif
