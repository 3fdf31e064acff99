/* SPDX-License-Identifier: MIT-0
 * Keys and values that are states in fewer bits (w16: float16; w8: the codes of tarn_state.h), as attention reads them: widened in
 * registers and never kept. A key and the next one have the same columns, so the scales of a head's columns go to its query
 * before, and to its sums of values afterwards. */
#ifndef TARN_ATTENTION_KEPT_F32_H
#define TARN_ATTENTION_KEPT_F32_H

#include "tarn_attention_core_f32.h"
#include "tarn_coded_f32.h"
#include "tarn_state.h"

#define TARN_KEPT_W16 16
#define TARN_KEPT_W8 8

typedef struct {
    tarn_attention_f32_params attention;
    int32_t k_columns, v_columns; /* scales in front of the codes; k.row and v.row are multiples of them */
} tarn_attention_kept_f32_params;

/* Element `at` of a state without its scale; `bits` is a constant wherever this is called. */
TARN_FORCE_INLINE float tarn_kept_f32(int32_t bits, const void *state, int32_t at)
{
    if (bits == TARN_KEPT_W16) {
        return tarn_coded_half_f32((const uint8_t *)state + ((ptrdiff_t)2 * at));
    }
    return (float)((const int8_t *)state)[at];
}

/* Scores of keys [0, count), four at a time, with the scaled query behind the scores of all keys. */
TARN_FORCE_INLINE void tarn_attention_kept_scores_f32(int32_t bits, const tarn_attention_f32_params *p,
                                                      const tarn_attention_f32_row *r, int32_t count)
{
    const tarn_attention_kept_f32_params *kept = (const tarn_attention_kept_f32_params *)r->kept;
    const int32_t codes = (bits == TARN_KEPT_W8) ? kept->k_columns : 0;
    float *q = r->scores + p->keys;
    int32_t i;
    int32_t j;
    for (i = 0; i < p->size; ++i) {
        const float x = r->q[(ptrdiff_t)i * p->q.column];
        const int32_t at = r->k_at + (i * p->k.column);
        q[i] = (bits == TARN_KEPT_W8) ? (x * tarn_state_scale(((const int8_t *)r->k)[at % kept->k_columns])) : x;
    }
    for (j = 0; j < count; j += 4) {
        const int32_t rest = count - j;
        int32_t k0 = codes + r->k_at + (j * p->k.row);
        const int32_t k1 = (rest > 1) ? p->k.row : 0;
        const int32_t k2 = (rest > 2) ? (2 * p->k.row) : 0;
        const int32_t k3 = (rest > 3) ? (3 * p->k.row) : 0;
        float s0 = 0.0f;
        float s1 = 0.0f;
        float s2 = 0.0f;
        float s3 = 0.0f;
        for (i = 0; i < p->size; ++i) {
            const float x = q[i];
            s0 += x * tarn_kept_f32(bits, r->k, k0);
            s1 += x * tarn_kept_f32(bits, r->k, k0 + k1);
            s2 += x * tarn_kept_f32(bits, r->k, k0 + k2);
            s3 += x * tarn_kept_f32(bits, r->k, k0 + k3);
            k0 += p->k.column;
        }
        r->scores[j] = p->scale * s0;
        if (rest > 1) {
            r->scores[j + 1] = p->scale * s1;
        }
        if (rest > 2) {
            r->scores[j + 2] = p->scale * s2;
        }
        if (rest > 3) {
            r->scores[j + 3] = p->scale * s3;
        }
    }
}

/* y of one row of one head: the values of `taken` keys by their weights. */
TARN_FORCE_INLINE void tarn_attention_kept_values_f32(int32_t bits, const tarn_attention_f32_params *p,
                                                      const tarn_attention_f32_row *r, int32_t taken, float factor)
{
    const tarn_attention_kept_f32_params *kept = (const tarn_attention_kept_f32_params *)r->kept;
    const int32_t codes = (bits == TARN_KEPT_W8) ? kept->v_columns : 0;
    int32_t c;
    for (c = 0; c < p->values; c += 4) {
        const int32_t rest = (p->values - c < 4) ? (p->values - c) : 4;
        const int32_t first = r->v_at + (c * p->v.column);
        const int32_t v1 = (rest > 1) ? p->v.column : 0;
        const int32_t v2 = (rest > 2) ? (2 * p->v.column) : 0;
        const int32_t v3 = (rest > 3) ? (3 * p->v.column) : 0;
        int32_t v = codes + first;
        float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        int32_t i;
        int32_t j;
        float s0 = 0.0f;
        float s1 = 0.0f;
        float s2 = 0.0f;
        float s3 = 0.0f;
        for (j = 0; j < taken; ++j) {
            const float e = r->scores[j];
            s0 += e * tarn_kept_f32(bits, r->v, v);
            s1 += e * tarn_kept_f32(bits, r->v, v + v1);
            s2 += e * tarn_kept_f32(bits, r->v, v + v2);
            s3 += e * tarn_kept_f32(bits, r->v, v + v3);
            v += p->v.row;
        }
        s[0] = s0;
        s[1] = s1;
        s[2] = s2;
        s[3] = s3;
        for (i = 0; i < rest; ++i) {
            const int32_t at = first + (i * p->v.column);
            const float scale =
                (bits == TARN_KEPT_W8) ? tarn_state_scale(((const int8_t *)r->v)[at % kept->v_columns]) : 1.0f;
            r->y[(ptrdiff_t)(c + i) * p->y.column] = s[i] * factor * scale;
        }
    }
}

#endif
