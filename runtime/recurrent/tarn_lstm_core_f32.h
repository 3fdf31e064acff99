/* SPDX-License-Identifier: MIT-0
 * LSTM, as text for its kernels: the activation functions are compiled into it.
 *
 * i = f(x Wi + h Ri + Pi c + bi), f likewise (or 1 - i), c' = f c + i g(x Wc + h Rc + bc), o = f(x Wo + h Ro + Po c' + bo),
 * h' = o h(c'). Gates stand in the order i, o, f, c. The clip bounds what f and g are applied to; c' it leaves alone, as in
 * ONNX Runtime. */
#ifndef TARN_LSTM_CORE_F32_H
#define TARN_LSTM_CORE_F32_H

#include "tarn_math_sigmoid_avx2.h"
#include "tarn_math_tanh_avx2.h"
#include "tarn_recurrent_avx2.h"
#include "tarn_recurrent_f32.h"

typedef struct {
    tarn_recurrent_f32_params all;
    int32_t input_forget;               /* the forget gate is 1 - the input gate */
    tarn_activation_f32_params f[2], g[2], h[2]; /* by direction */
} tarn_lstm_f32_params;

/* Operands of one direction. */
typedef struct {
    const void *w, *r; /* packed: [units][k][4]; else as ONNX says */
    ptrdiff_t w_at, r_at; /* elements before those of this direction */
    const tarn_f32 *b, *peep; /* packed: [units][4] */
    const tarn_activation_f32_params *f, *g, *h;
} tarn_lstm_f32_side;

/* The sums of one unit's gates in the order i, o, f, c, without peepholes. */
TARN_FORCE_INLINE tarn_quad_f32 tarn_lstm_sums_f32(const tarn_lstm_f32_params *p, const tarn_lstm_f32_side *side, const tarn_f32 *x,
                                                   const tarn_f32 *h, int32_t j, tarn_recurrent_products_f32 products)
{
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const int32_t units = p->all.units;
    const int32_t inputs = p->all.inputs;
    const int32_t packed = p->all.packed;
    const int32_t rows = (packed != 0) ? 4 : 1; /* weights of a unit in a row */
    tarn_quad_f32 s = zero;
    if (side->b != NULL) {
        if (packed != 0) {
            s = tarn_quad_load_f32(side->b + ((ptrdiff_t)4 * j));
        } else {
            const tarn_f32 *b = side->b + j;
            s.a = tarn_load_f32(b[0]) + tarn_load_f32(b[(ptrdiff_t)4 * units]);
            s.b = tarn_load_f32(b[units]) + tarn_load_f32(b[(ptrdiff_t)5 * units]);
            s.c = tarn_load_f32(b[(ptrdiff_t)2 * units]) + tarn_load_f32(b[(ptrdiff_t)6 * units]);
            s.d = tarn_load_f32(b[(ptrdiff_t)3 * units]) + tarn_load_f32(b[(ptrdiff_t)7 * units]);
        }
    }
    products(&s, x, side->w, side->w_at + ((ptrdiff_t)j * rows * inputs), inputs, packed, units * inputs, 4);
    if (h != NULL) {
        products(&s, h, side->r, side->r_at + ((ptrdiff_t)j * rows * units), units, packed, units * units, 4);
    }
    return s;
}

#if defined(TARN_MANY_F32)
#define TARN_LSTM_MANY_F32 32 /* units at a time: functions of several vectors overlap */

/* Sums of `count` (at most 8) units from j on: eight of each gate, TARN_LSTM_MANY_F32 apart. */
TARN_FORCE_INLINE void tarn_lstm_eight_f32(const tarn_lstm_f32_params *p, const tarn_lstm_f32_side *side, const tarn_f32 *x,
                                           const tarn_f32 *h, int32_t j, int32_t count, float *gates,
                                           tarn_recurrent_products_f32 products)
{
    const tarn_acc_f32 clip = p->all.clip;
    const int32_t units = p->all.units;
    const int32_t inputs = p->all.inputs;
    int32_t l;
    if ((products == tarn_recurrent_plain_f32) && (p->all.packed != 0)) {
        tarn_recurrent_avx2_sums s;
        tarn_recurrent_avx2_begin(&s, (side->b != NULL) ? (side->b + ((ptrdiff_t)4 * j)) : NULL, count);
        tarn_recurrent_avx2_add(&s, x, (const float *)side->w + side->w_at + ((ptrdiff_t)4 * j * inputs), inputs, count);
        if (h != NULL) {
            tarn_recurrent_avx2_add(&s, h, (const float *)side->r + side->r_at + ((ptrdiff_t)4 * j * units), units, count);
        }
        tarn_recurrent_avx2_turn(gates, TARN_LSTM_MANY_F32, &s, clip);
        return;
    }
    for (l = 0; l < 8; ++l) {
        const tarn_quad_f32 s = tarn_lstm_sums_f32(p, side, x, h, j + ((l < count) ? l : (count - 1)), products);
        gates[l] = tarn_recurrent_clip_f32(s.a, clip);
        gates[TARN_LSTM_MANY_F32 + l] = tarn_recurrent_clip_f32(s.b, clip);
        gates[(2 * TARN_LSTM_MANY_F32) + l] = tarn_recurrent_clip_f32(s.c, clip);
        gates[(3 * TARN_LSTM_MANY_F32) + l] = tarn_recurrent_clip_f32(s.d, clip);
    }
}

/* `count` (at most TARN_LSTM_MANY_F32) units from j on, with sigmoid and tanh and without peepholes. */
TARN_FORCE_INLINE void tarn_lstm_many_f32(const tarn_lstm_f32_params *p, const tarn_lstm_f32_side *side, const tarn_f32 *x,
                                          const tarn_f32 *h, tarn_f32 *c, tarn_f32 *out, int32_t j, int32_t count,
                                          tarn_recurrent_products_f32 products)
{
    const int32_t eights = (count + 7) / 8 * 8;
    float in[4 * TARN_LSTM_MANY_F32]; /* i, o, f, c */
    float *const go = in + TARN_LSTM_MANY_F32;
    float *const keep = go + TARN_LSTM_MANY_F32;
    float *const cell = keep + TARN_LSTM_MANY_F32;
    int32_t l;
    for (l = 0; l < count; l += 8) {
        tarn_lstm_eight_f32(p, side, x, h, j + l, ((count - l) < 8) ? (count - l) : 8, in + l, products);
    }
    tarn_sigmoid_many(in, eights);
    tarn_sigmoid_many(go, eights);
    if (p->input_forget == 0) {
        tarn_sigmoid_many(keep, eights);
    }
    tarn_tanh_many(cell, eights);
    for (l = 0; l < count; ++l) {
        const float forget = (p->input_forget != 0) ? (1 - in[l]) : keep[l];
        c[j + l] = (forget * c[j + l]) + (in[l] * cell[l]);
        cell[l] = c[j + l];
    }
    tarn_tanh_many(cell, eights);
    for (l = 0; l < count; ++l) {
        out[j + l] = go[l] * cell[l];
    }
}
#endif

/* One step of one sequence. h: the state before, NULL for 0. c is updated. plain: the functions are sigmoid, tanh and tanh. */
TARN_FORCE_INLINE void tarn_lstm_step_f32(const tarn_lstm_f32_params *p, const tarn_lstm_f32_side *side, const tarn_f32 *x,
                                          const tarn_f32 *h, tarn_f32 *c, tarn_f32 *out, tarn_activate_f32 gate,
                                          tarn_activate_f32 cell, tarn_activate_f32 hidden,
                                          tarn_recurrent_products_f32 products, int32_t plain TARN_UNUSED)
{
    const int32_t units = p->all.units;
    const tarn_acc_f32 clip = p->all.clip;
    int32_t j = 0;
#if defined(TARN_MANY_F32)
    for (; (plain != 0) && (side->peep == NULL) && (j < units); j += TARN_LSTM_MANY_F32) {
        tarn_lstm_many_f32(p, side, x, h, c, out, j, ((units - j) < TARN_LSTM_MANY_F32) ? (units - j) : TARN_LSTM_MANY_F32, products);
    }
#endif
    for (; j < units; ++j) {
        tarn_quad_f32 s = tarn_lstm_sums_f32(p, side, x, h, j, products);
        tarn_acc_f32 before = tarn_load_f32(c[j]);
        tarn_acc_f32 forget;
        tarn_acc_f32 v;
        if (side->peep != NULL) {
            s.a += tarn_load_f32(side->peep[j]) * before;
            s.c += tarn_load_f32(side->peep[(2 * units) + j]) * before;
        }
        s.a = gate(side->f, tarn_recurrent_clip_f32(s.a, clip));
        forget = (p->input_forget != 0) ? (1 - s.a) : gate(side->f, tarn_recurrent_clip_f32(s.c, clip));
        s.d = cell(side->g, tarn_recurrent_clip_f32(s.d, clip));
        v = (forget * before) + (s.a * s.d);
        c[j] = tarn_store_f32(v);
        if (side->peep != NULL) {
            s.b += tarn_load_f32(side->peep[units + j]) * v;
        }
        s.b = gate(side->f, tarn_recurrent_clip_f32(s.b, clip));
        out[j] = tarn_store_f32(s.b * hidden(side->h, v));
    }
}

/* All sequences, one after the other. */
TARN_FORCE_INLINE void tarn_lstm_core_f32(const tarn_lstm_f32_params *p, const tarn_f32 *x, const void *w,
                                          const void *r, const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0,
                                          const tarn_f32 *c0, const tarn_f32 *peep, tarn_f32 *scratch, tarn_f32 *y,
                                          tarn_f32 *y_h, tarn_f32 *y_c, tarn_activate_f32 gate, tarn_activate_f32 cell,
                                          tarn_activate_f32 hidden, tarn_recurrent_products_f32 products, int32_t plain)
{
    const tarn_recurrent_f32_params *all = &p->all;
    const int32_t units = all->units;
    int32_t d;
    int32_t i;
    for (d = 0; d < all->directions; ++d) {
        const int32_t back = (d > 0) || (all->reverse != 0);
        tarn_lstm_f32_side side;
        side.w = w;
        side.r = r;
        side.w_at = (ptrdiff_t)d * 4 * units * all->inputs;
        side.r_at = (ptrdiff_t)d * 4 * units * units;
        side.b = (b != NULL) ? (b + ((ptrdiff_t)d * ((all->packed != 0) ? 4 : 8) * units)) : NULL;
        side.peep = (peep != NULL) ? (peep + ((ptrdiff_t)d * 3 * units)) : NULL;
        side.f = &p->f[d];
        side.g = &p->g[d];
        side.h = &p->h[d];
        for (i = 0; i < all->batch; ++i) {
            const int32_t state = (d * all->s_direction) + (i * all->s_batch);
            const int32_t length = tarn_recurrent_length_f32(all, lengths, i);
            const tarn_f32 *h = ((h0 != NULL) && (length > 0)) ? (h0 + state) : NULL;
            tarn_f32 *c = (y_c != NULL) ? (y_c + state) : scratch;
            tarn_f32 *spare = ((y_c != NULL) || (scratch == NULL)) ? scratch : (scratch + units);
            tarn_f32 *out = (y != NULL) ? (y + ((ptrdiff_t)d * all->y_direction) + ((ptrdiff_t)i * all->y_batch)) : NULL;
            tarn_f32 *last = (y_h != NULL) ? (y_h + state) : ((y != NULL) || (scratch == NULL)) ? NULL : (spare + units);
            int32_t s;
            for (s = 0; s < units; ++s) {
                c[s] = ((c0 != NULL) && (length > 0)) ? c0[state + s] : tarn_store_f32((tarn_acc_f32)0);
            }
            for (s = 0; s < length; ++s) {
                const int32_t t = (back != 0) ? (length - 1 - s) : s;
                tarn_f32 *next = tarn_recurrent_state_f32(all, s, length, t, out, last, spare);
                tarn_lstm_step_f32(p, &side, x + ((ptrdiff_t)t * all->x_time) + ((ptrdiff_t)i * all->x_batch), h, c, next, gate, cell, hidden, products, plain);
                h = next;
            }
            tarn_recurrent_finish_f32(all, length, h, out, last);
        }
    }
}

#endif
