/* SPDX-License-Identifier: MIT-0
 * What attention computes with: its params, one row of one head, and the scores and weighted values of keys and values that are kept
 * as they are (tarn_attention_kept_f32.h: in fewer bits). Text for tarn_attention_core_f32.h. */
#ifndef TARN_ATTENTION_ROW_F32_H
#define TARN_ATTENTION_ROW_F32_H

#include "tarn_attention_avx2.h"
#include "tarn_types_f32.h"

/* Elements from one to the next, and where the first one stands. */
typedef struct {
    int32_t batch, head, row, column, first;
} tarn_attention_f32_steps;

typedef struct {
    int32_t batch, heads, rows, keys; /* of the scores */
    int32_t group;                    /* heads that share one head of keys and values */
    int32_t size, values;             /* elements of a query or key, of a value */
    int32_t rows_first;               /* y goes row by row, all heads of it in turn; else head by head */
    tarn_attention_f32_steps q, k, v, y, qk;
    tarn_attention_f32_steps bias;    /* added to the scores; column: along the keys */
    tarn_attention_f32_steps allowed; /* scores where it is `blocking` become `fill` */
    int32_t bias_keys, allowed_keys;  /* keys that they have; the others are left out */
    int32_t blocking;                 /* 0 or 1 */
    int32_t bias_first;               /* the bias is added before `allowed` is looked at */
    int32_t causal, past;             /* causal: row i sees keys up to i + past; with lengths the last row sees them all */
    int32_t stage;                    /* what goes to qk: 0 scaled scores, 1 capped, 2 masked, 3 softmax */
    int32_t zero;                     /* 1: rows without any key are 0; 2: all rows that are NaN */
    tarn_acc_f32 scale, cap, fill;
} tarn_attention_f32_params;

typedef tarn_acc_f32 (*tarn_attention_f32_function)(tarn_acc_f32 v);

/* Operands at one head. Keys and values are `k_at` and `v_at` elements into k and v, which may be kept in fewer bits. */
typedef struct {
    const tarn_f32 *q, *bias;
    const void *k, *v, *kept;
    int32_t k_at, v_at;
    const uint8_t *allowed;
    tarn_acc_f32 *scores;
    tarn_f32 *y, *qk;
    int32_t limit; /* keys that take part */
    int32_t open;  /* of them, those up to the last one that the mask leaves open */
} tarn_attention_f32_row;

/* How a kernel reads keys and values: constant wherever the loops are called, so that they stand in line. */
typedef struct {
    void (*scores)(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t count);
    void (*values)(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t taken, tarn_acc_f32 factor);
    tarn_attention_f32_function exp_of, tanh_of; /* tanh_of: NULL without a cap */
    const void *kept;                            /* params of keys and values in fewer bits */
} tarn_attention_f32_loops;

/* Scores of keys [0, count), four at a time. */
TARN_FORCE_INLINE void tarn_attention_scores_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r,
                                                 int32_t count)
{
    const int32_t size = p->size;
    const int32_t q_column = p->q.column;
    const int32_t k_column = p->k.column;
    const tarn_f32 *k = (const tarn_f32 *)r->k + r->k_at;
    int32_t j = 0;
#if defined(TARN_MANY_F32)
    if (k_column == 1) {
        j = tarn_attention_avx2_scores(r->q, q_column, k, p->k.row, size, p->scale, r->scores, count);
    }
#endif
    for (; j < count; j += 4) {
        const int32_t rest = count - j;
        const tarn_f32 *k0 = k + ((ptrdiff_t)j * p->k.row);
        const tarn_f32 *k1 = (rest > 1) ? (k0 + p->k.row) : k0;
        const tarn_f32 *k2 = (rest > 2) ? (k1 + p->k.row) : k0;
        const tarn_f32 *k3 = (rest > 3) ? (k2 + p->k.row) : k0;
        const tarn_f32 *q = r->q;
        tarn_acc_f32 s0 = 0;
        tarn_acc_f32 s1 = 0;
        tarn_acc_f32 s2 = 0;
        tarn_acc_f32 s3 = 0;
        int32_t i;
        if (k_column == 1) {
            for (i = size; i > 0; --i) {
                const tarn_acc_f32 x = tarn_load_f32(*q);
                s0 += x * tarn_load_f32(*k0);
                s1 += x * tarn_load_f32(*k1);
                s2 += x * tarn_load_f32(*k2);
                s3 += x * tarn_load_f32(*k3);
                q += q_column;
                ++k0;
                ++k1;
                ++k2;
                ++k3;
            }
        } else {
            int32_t at = 0;
            for (i = size; i > 0; --i) {
                const tarn_acc_f32 x = tarn_load_f32(*q);
                s0 += x * tarn_load_f32(k0[at]);
                s1 += x * tarn_load_f32(k1[at]);
                s2 += x * tarn_load_f32(k2[at]);
                s3 += x * tarn_load_f32(k3[at]);
                q += q_column;
                at += k_column;
            }
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
TARN_FORCE_INLINE void tarn_attention_values_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t taken,
                                                 tarn_acc_f32 factor)
{
    const int32_t v_row = p->v.row;
    int32_t c = 0;
    int32_t j;
#if defined(TARN_MANY_F32)
    if (p->v.column == 1) {
        c = tarn_attention_avx2_values(r->scores, taken, (const tarn_f32 *)r->v + r->v_at, v_row, p->values, factor, r->y, p->y.column);
    }
#endif
    for (; c < p->values; c += 4) {
        const int32_t rest = p->values - c;
        const tarn_f32 *v = (const tarn_f32 *)r->v + r->v_at + ((ptrdiff_t)c * p->v.column);
        const int32_t c1 = (rest > 1) ? p->v.column : 0;
        const int32_t c2 = (rest > 2) ? (2 * p->v.column) : 0;
        const int32_t c3 = (rest > 3) ? (3 * p->v.column) : 0;
        tarn_f32 *y = r->y + ((ptrdiff_t)c * p->y.column);
        tarn_acc_f32 s0 = 0;
        tarn_acc_f32 s1 = 0;
        tarn_acc_f32 s2 = 0;
        tarn_acc_f32 s3 = 0;
        const tarn_acc_f32 *scores = r->scores;
        if ((p->v.column == 1) && (rest > 3)) {
            for (j = taken; j > 0; --j) {
                const tarn_acc_f32 e = *scores;
                s0 += e * tarn_load_f32(v[0]);
                s1 += e * tarn_load_f32(v[1]);
                s2 += e * tarn_load_f32(v[2]);
                s3 += e * tarn_load_f32(v[3]);
                ++scores;
                v += v_row;
            }
        } else {
            for (j = taken; j > 0; --j) {
                const tarn_acc_f32 e = *scores;
                s0 += e * tarn_load_f32(v[0]);
                s1 += e * tarn_load_f32(v[c1]);
                s2 += e * tarn_load_f32(v[c2]);
                s3 += e * tarn_load_f32(v[c3]);
                ++scores;
                v += v_row;
            }
        }
        y[0] = tarn_store_f32(s0 * factor);
        if (rest > 1) {
            y[p->y.column] = tarn_store_f32(s1 * factor);
        }
        if (rest > 2) {
            y[(ptrdiff_t)2 * p->y.column] = tarn_store_f32(s2 * factor);
        }
        if (rest > 3) {
            y[(ptrdiff_t)3 * p->y.column] = tarn_store_f32(s3 * factor);
        }
    }
}

#endif
