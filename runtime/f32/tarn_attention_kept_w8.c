/* SPDX-License-Identifier: MIT-0 */
#include "tarn_attention_kept_w8.h"
#include "tarn_fn_exp_f32.h"

static float attention_kept_exp_w8(float v)
{
    return tarn_fn_exp_f32(v);
}

TARN_FORCE_INLINE void attention_kept_scores_w8(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t count)
{
    tarn_attention_kept_scores_f32(TARN_KEPT_W8, p, r, count);
}

TARN_FORCE_INLINE void attention_kept_values_w8(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t taken,
                                                float factor)
{
    tarn_attention_kept_values_f32(TARN_KEPT_W8, p, r, taken, factor);
}

TARN_API void tarn_attention_kept_w8(const tarn_attention_kept_f32_params *p, const float *q, const void *k, const void *v,
                                     const float *bias, const uint8_t *allowed, const int64_t *lengths, float *scratch, float *y,
                                     float *qk)
{
    const tarn_attention_f32_loops loops = {attention_kept_scores_w8, attention_kept_values_w8, attention_kept_exp_w8, NULL, p};
    tarn_attention_loops_f32(&p->attention, q, k, v, bias, allowed, lengths, scratch, y, qk, &loops);
}
