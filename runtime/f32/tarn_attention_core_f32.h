/* SPDX-License-Identifier: MIT-0
 * Attention row by row, as text for its kernels: y = softmax(mask(cap(scale q k'))) v. The scores of one row of one head
 * stand in scratch, never those of all. Heads, rows and keys of every operand lie as the params say. Keys at the end of a row
 * that the mask closes have a weight of exactly 0: they and their values are not read, so that a cache costs what is in it.
 *
 * A mask closes a key with TARN_ATTENTION_CLOSED or less. Its weight exp(score + mask - most) is 0 while its score is below
 * most - mask - 104; where the largest score, most, is below TARN_ATTENTION_CLOSED / 2 all keys are read. So the result differs
 * from that of reading all only where a closed key has a score of more than 5e7 before the mask, or its value is no finite number. */
#ifndef TARN_ATTENTION_CORE_F32_H
#define TARN_ATTENTION_CORE_F32_H

#include "tarn_attention_row_f32.h"
#include "tarn_math_exp_avx2.h"

#define TARN_ATTENTION_CLOSED (-100000000)

/* Cap and masks; the largest score. */
TARN_FORCE_INLINE tarn_acc_f32 tarn_attention_mask_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r,
                                                       int32_t count, tarn_attention_f32_function tanh_of)
{
    tarn_acc_f32 most = tarn_lowest_f32;
    int32_t j;
    if ((tanh_of == NULL) && (r->qk == NULL) && (r->allowed == NULL) && (count <= r->limit)) {
        const int32_t step = p->bias.column;
        const tarn_f32 *bias = r->bias;
        tarn_acc_f32 *scores = r->scores;
#if defined(TARN_MANY_F32)
        if (bias == NULL) {
            return tarn_attention_avx2_most(scores, count, most);
        }
#endif
        for (j = 0; j < count; ++j) {
            tarn_acc_f32 s = scores[j];
            if (bias != NULL) {
                s += tarn_load_f32(*bias);
                bias += step;
                scores[j] = s;
            }
            most = (s > most) ? s : most; /* a NaN will show in the sum */
        }
        return most;
    }
    for (j = 0; j < count; ++j) {
        tarn_acc_f32 s = r->scores[j];
        if ((r->qk != NULL) && (p->stage == 0)) {
            r->qk[(ptrdiff_t)j * p->qk.column] = tarn_store_f32(s);
        }
        if (tanh_of != NULL) {
            s = p->cap * tanh_of(s / p->cap);
        }
        if ((r->qk != NULL) && (p->stage == 1)) {
            r->qk[(ptrdiff_t)j * p->qk.column] = tarn_store_f32(s);
        }
        if (j >= r->limit) {
            s = tarn_lowest_f32;
        } else {
            if ((r->bias != NULL) && (p->bias_first != 0)) {
                s += tarn_load_f32(r->bias[(ptrdiff_t)j * p->bias.column]);
            }
            if ((r->allowed != NULL) && ((r->allowed[(ptrdiff_t)j * p->allowed.column] != 0) == (p->blocking != 0))) {
                s = p->fill;
            }
            if ((r->bias != NULL) && (p->bias_first == 0)) {
                s += tarn_load_f32(r->bias[(ptrdiff_t)j * p->bias.column]);
            }
        }
        if ((r->qk != NULL) && (p->stage == 2)) {
            r->qk[(ptrdiff_t)j * p->qk.column] = tarn_store_f32(s);
        }
        r->scores[j] = s;
        most = (s > most) ? s : most; /* a NaN will show in the sum */
    }
    return most;
}

/* No key takes part: they are left out, or at minus infinity. */
TARN_FORCE_INLINE int32_t tarn_attention_blind_f32(const tarn_attention_f32_row *r, int32_t count, tarn_acc_f32 most)
{
    int32_t j;
    if (most > tarn_lowest_f32) {
        return 0;
    }
    for (j = 0; j < count; ++j) {
        if (tarn_is_nan_f32(r->scores[j])) {
            return 0;
        }
    }
    return 1;
}

/* The mask lets nothing of key j through. */
TARN_FORCE_INLINE int32_t tarn_attention_closed_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r, int32_t j)
{
    if ((r->bias != NULL) && (tarn_load_f32(r->bias[(ptrdiff_t)j * p->bias.column]) <= (tarn_acc_f32)TARN_ATTENTION_CLOSED)) {
        return 1;
    }
    return (r->allowed != NULL) && (p->fill <= (tarn_acc_f32)TARN_ATTENTION_CLOSED) && ((r->bias == NULL) || (p->bias_first != 0)) &&
           ((r->allowed[(ptrdiff_t)j * p->allowed.column] != 0) == (p->blocking != 0));
}

/* Keys up to the last open one; all of them where none is open, or the scores are asked for. */
TARN_FORCE_INLINE int32_t tarn_attention_open_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r)
{
    int32_t open = r->limit;
    if ((r->qk != NULL) || ((r->bias == NULL) && (r->allowed == NULL))) {
        return r->limit;
    }
    while ((open > 0) && tarn_attention_closed_f32(p, r, open - 1)) {
        --open;
    }
    return (open > 0) ? open : r->limit;
}

/* One row of one head. */
TARN_FORCE_INLINE void tarn_attention_row_f32(const tarn_attention_f32_params *p, const tarn_attention_f32_row *r,
                                              const tarn_attention_f32_loops *loops)
{
    /* Keys beyond the limit are looked at only when their scores are asked for. */
    int32_t count = (r->qk != NULL) ? p->keys : r->open;
    int32_t taken = r->open;
    tarn_acc_f32 most;
    tarn_acc_f32 sum = 0;
    tarn_acc_f32 factor;
    int32_t blind;
    int32_t j;
    loops->scores(p, r, count);
    most = tarn_attention_mask_f32(p, r, count, loops->tanh_of);
    if ((taken < r->limit) && !(most > (tarn_acc_f32)(TARN_ATTENTION_CLOSED / 2))) {
        /* Beside scores as low as these, or NaN, a closed key counts too. */
        count = r->limit;
        taken = r->limit;
        loops->scores(p, r, count);
        most = tarn_attention_mask_f32(p, r, count, loops->tanh_of);
    }
    blind = (p->zero != 0) ? tarn_attention_blind_f32(r, count, most) : 0;
#if defined(TARN_MANY_F32)
    sum = tarn_attention_avx2_weights(r->scores, count, most);
#else
    for (j = 0; j < count; ++j) {
        const tarn_acc_f32 e = loops->exp_of(r->scores[j] - most);
        r->scores[j] = e;
        sum += e;
    }
#endif
    factor = 1 / sum;
    if ((blind != 0) || ((p->zero == 2) && tarn_is_nan_f32(sum))) {
        for (j = 0; j < count; ++j) {
            r->scores[j] = 0;
        }
        factor = 0;
    }
    if ((r->qk != NULL) && (p->stage == 3)) {
        for (j = 0; j < count; ++j) {
            r->qk[(ptrdiff_t)j * p->qk.column] = tarn_store_f32(r->scores[j] * factor);
        }
    }
    loops->values(p, r, taken, factor);
}

/* How many keys row i of batch b takes in. */
TARN_FORCE_INLINE int32_t tarn_attention_limit_f32(const tarn_attention_f32_params *p, const int64_t *lengths, int32_t b,
                                                   int32_t i)
{
    int32_t limit = p->keys;
    int32_t past = p->past;
    if (lengths != NULL) {
        if (lengths[b] < limit) {
            limit = (lengths[b] < 0) ? 0 : (int32_t)lengths[b];
        }
        past = limit - p->rows;
    }
    if ((p->causal != 0) && ((i + past + 1) < limit)) {
        limit = i + past + 1;
    }
    limit = (p->bias_keys < limit) ? p->bias_keys : limit;
    limit = (p->allowed_keys < limit) ? p->allowed_keys : limit;
    return (limit < 0) ? 0 : limit;
}

TARN_FORCE_INLINE int32_t tarn_attention_at_f32(const tarn_attention_f32_steps *s, int32_t b, int32_t h, int32_t i)
{
    return s->first + (b * s->batch) + (h * s->head) + (i * s->row);
}

TARN_FORCE_INLINE void tarn_attention_loops_f32(const tarn_attention_f32_params *p, const tarn_f32 *q, const void *k,
                                                const void *v, const tarn_f32 *bias, const uint8_t *allowed,
                                                const int64_t *lengths, tarn_acc_f32 *scores, tarn_f32 *y, tarn_f32 *qk,
                                                const tarn_attention_f32_loops *loops)
{
    const int32_t outer = (p->rows_first != 0) ? p->rows : p->heads;
    const int32_t inner = (p->rows_first != 0) ? p->heads : p->rows;
    const tarn_f32 *bias_before = NULL;
    const uint8_t *allowed_before = NULL;
    int32_t limit_before = -1;
    int32_t open = 0;
    int32_t b;
    int32_t u;
    int32_t w;
    for (b = 0; b < p->batch; ++b) {
        for (u = 0; u < outer; ++u) {
            for (w = 0; w < inner; ++w) {
                const int32_t i = (p->rows_first != 0) ? u : w;
                const int32_t h = (p->rows_first != 0) ? w : u;
                const int32_t shared = h / p->group;
                tarn_attention_f32_row r;
                r.q = q + tarn_attention_at_f32(&p->q, b, h, i);
                r.k = k;
                r.v = v;
                r.kept = loops->kept;
                r.k_at = tarn_attention_at_f32(&p->k, b, shared, 0);
                r.v_at = tarn_attention_at_f32(&p->v, b, shared, 0);
                r.bias = (bias != NULL) ? (bias + tarn_attention_at_f32(&p->bias, b, h, i)) : NULL;
                r.allowed = (allowed != NULL) ? (allowed + tarn_attention_at_f32(&p->allowed, b, h, i)) : NULL;
                r.scores = scores;
                r.y = y + tarn_attention_at_f32(&p->y, b, h, i);
                r.qk = (qk != NULL) ? (qk + tarn_attention_at_f32(&p->qk, b, h, i)) : NULL;
                r.limit = tarn_attention_limit_f32(p, lengths, b, i);
                /* Most masks are the same for all heads. */
                if ((r.bias != bias_before) || (r.allowed != allowed_before) || (r.limit != limit_before)) {
                    open = tarn_attention_open_f32(p, &r);
                    bias_before = r.bias;
                    allowed_before = r.allowed;
                    limit_before = r.limit;
                }
                r.open = open;
                tarn_attention_row_f32(p, &r, loops);
            }
        }
    }
}

TARN_FORCE_INLINE void tarn_attention_core_f32(const tarn_attention_f32_params *p, const tarn_f32 *q, const tarn_f32 *k,
                                               const tarn_f32 *v, const tarn_f32 *bias, const uint8_t *allowed,
                                               const int64_t *lengths, tarn_acc_f32 *scores, tarn_f32 *y, tarn_f32 *qk,
                                               tarn_attention_f32_function exp_of, tarn_attention_f32_function tanh_of)
{
    const tarn_attention_f32_loops loops = {tarn_attention_scores_f32, tarn_attention_values_f32, exp_of, tanh_of, NULL};
    tarn_attention_loops_f32(p, q, k, v, bias, allowed, lengths, scores, y, qk, &loops);
}

#endif
