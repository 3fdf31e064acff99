/* SPDX-License-Identifier: MIT-0
 * Attention without a soft cap over keys and values that are states in fewer bits. */
#ifndef TARN_ATTENTION_KEPT_W8_H
#define TARN_ATTENTION_KEPT_W8_H

#include "tarn_attention_kept_f32.h"

TARN_BEGIN_C

/* As tarn_attention_f32, but for k and v: float16, or `columns` scales and then 8-bit codes. scratch: `keys` + `size` elements. */
TARN_API void tarn_attention_kept_w8(const tarn_attention_kept_f32_params *p, const float *q, const void *k, const void *v,
                                     const float *bias, const uint8_t *allowed, const int64_t *lengths, float *scratch, float *y,
                                     float *qk);

TARN_END_C
#endif
