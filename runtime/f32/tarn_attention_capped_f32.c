/* SPDX-License-Identifier: MIT-0 */
#include "tarn_attention_capped_f32.h"
#include "tarn_fn_exp_f32.h"
#include "tarn_fn_tanh_f32.h"

static tarn_acc_f32 attention_capped_exp_f32(tarn_acc_f32 v)
{
    return tarn_fn_exp_f32(v);
}

static tarn_acc_f32 attention_capped_tanh_f32(tarn_acc_f32 v)
{
    return tarn_fn_tanh_f32(v);
}

TARN_API void tarn_attention_capped_f32(const tarn_attention_f32_params *p, const tarn_f32 *q, const tarn_f32 *k,
                                        const tarn_f32 *v, const tarn_f32 *bias, const uint8_t *allowed,
                                        const int64_t *lengths, tarn_acc_f32 *scratch, tarn_f32 *y, tarn_f32 *qk)
{
    tarn_attention_core_f32(p, q, k, v, bias, allowed, lengths, scratch, y, qk, attention_capped_exp_f32,
                            attention_capped_tanh_f32);
}
