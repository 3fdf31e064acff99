/* SPDX-License-Identifier: MIT-0
 * GRU, as text for its kernels: the activation functions are compiled into it.
 *
 * z = f(x Wz + h Rz + bz), r = f(x Wr + h Rr + br), n = g(x Wh + (r h) Rh + bh) or, linear before reset,
 * n = g(x Wh + wbh + r (h Rh + rbh)); h' = (1 - z) n + z h. Gates stand in the order z, r, h. */
#ifndef TARN_GRU_CORE_F32_H
#define TARN_GRU_CORE_F32_H

#include "tarn_math_sigmoid_avx2.h"
#include "tarn_math_tanh_avx2.h"
#include "tarn_recurrent_avx2.h"
#include "tarn_recurrent_f32.h"

typedef struct {
    tarn_recurrent_f32_params all;
    int32_t linear_before_reset;
    tarn_activation_f32_params f[2], g[2]; /* by direction */
} tarn_gru_f32_params;

/* Operands of one direction. Packed, u = units rounded up to 4: w, r [3][u / 4][k][4], b [4][u] = bz, br, wbh, rbh. */
typedef struct {
    const void *w, *r;
    ptrdiff_t w_at, r_at; /* elements before those of this direction */
    const tarn_f32 *b;
    const tarn_activation_f32_params *f, *g;
} tarn_gru_f32_side;

/* Bias of `rows` units from j on: of the gate's two biases, those that `which` names (1: input, 2: recurrent). */
TARN_FORCE_INLINE tarn_quad_f32 tarn_gru_bias_f32(const tarn_gru_f32_params *p, const tarn_f32 *b, int32_t gate, int32_t j,
                                                  int32_t rows, int32_t which)
{
    tarn_quad_f32 s = {0, 0, 0, 0};
    const int32_t units = p->all.units;
    if (b == NULL) {
        return s;
    }
    if (p->all.packed != 0) {
        const int32_t u = (units + 3) / 4 * 4;
        return (which == 2) ? tarn_quad_load_f32(b + ((ptrdiff_t)3 * u) + j) : tarn_quad_load_f32(b + ((ptrdiff_t)gate * u) + j);
    }
    if ((which & 1) != 0) {
        const tarn_f32 *from = b + ((ptrdiff_t)gate * units) + j;
        s.a += tarn_load_f32(from[0]);
        s.b += (rows > 1) ? tarn_load_f32(from[1]) : 0;
        s.c += (rows > 2) ? tarn_load_f32(from[2]) : 0;
        s.d += (rows > 3) ? tarn_load_f32(from[3]) : 0;
    }
    if ((which & 2) != 0) {
        const tarn_f32 *from = b + ((ptrdiff_t)(3 + gate) * units) + j;
        s.a += tarn_load_f32(from[0]);
        s.b += (rows > 1) ? tarn_load_f32(from[1]) : 0;
        s.c += (rows > 2) ? tarn_load_f32(from[2]) : 0;
        s.d += (rows > 3) ? tarn_load_f32(from[3]) : 0;
    }
    return s;
}

/* Adds the products of x[n] with the weights of one gate's units from j on. */
TARN_FORCE_INLINE void tarn_gru_rows_f32(const tarn_gru_f32_params *p, tarn_quad_f32 *s, const tarn_f32 *x, const void *w,
                                         ptrdiff_t at, int32_t n, int32_t gate, int32_t j, int32_t rows,
                                         tarn_recurrent_products_f32 products)
{
    const int32_t units = (p->all.packed != 0) ? ((p->all.units + 3) / 4 * 4) : p->all.units;
    products(s, x, w, at + ((ptrdiff_t)((gate * units) + j) * n), n, p->all.packed, n, rows);
}

#if defined(TARN_MANY_F32)
/* Sums of one gate of eight fours of units from j on, with packed weights; bias: the row of biases they begin with. h: NULL for none. */
TARN_FORCE_INLINE void tarn_gru_many_f32(const tarn_gru_f32_params *p, const tarn_gru_f32_side *side, const float *x, const float *h,
                                         int32_t gate, int32_t bias, int32_t j, float *to, float clip)
{
    const int32_t inputs = p->all.inputs;
    const int32_t units = p->all.units;
    const int32_t u = (units + 3) / 4 * 4;
    const int32_t fours = ((u - j) < 32) ? ((u - j) / 4) : 8;
    const ptrdiff_t row = ((ptrdiff_t)gate * u) + j;
    tarn_recurrent_avx2_sums s;
    tarn_recurrent_avx2_begin(&s, (side->b != NULL) ? (side->b + ((ptrdiff_t)bias * u) + j) : NULL, fours);
    if (x != NULL) {
        tarn_recurrent_avx2_add(&s, x, (const float *)side->w + side->w_at + (row * inputs), inputs, fours);
    }
    if (h != NULL) {
        tarn_recurrent_avx2_add(&s, h, (const float *)side->r + side->r_at + (row * units), units, fours);
    }
    tarn_recurrent_avx2_store(to, &s, clip);
}

/* One step with packed weights of floats, sigmoid and tanh: 32 units at a time. */
TARN_INLINE void tarn_gru_step_avx2_f32(const tarn_gru_f32_params *p, const tarn_gru_f32_side *side, const float *x, const float *h,
                                        float *reset, float *out)
{
    const int32_t units = p->all.units;
    const float clip = p->all.clip;
    const int32_t linear = p->linear_before_reset;
    int32_t j;
    int32_t l;
    for (j = 0; (j < units) && (linear == 0) && (h != NULL); j += 32) {
        const int32_t count = ((units - j) < 32) ? (units - j) : 32;
        float v[32];
        tarn_gru_many_f32(p, side, x, h, 1, 1, j, v, clip);
        tarn_sigmoid_many(v, count);
        for (l = 0; l < count; ++l) {
            reset[j + l] = v[l] * h[j + l];
        }
    }
    for (j = 0; j < units; j += 32) {
        const int32_t count = ((units - j) < 32) ? (units - j) : 32;
        float z[32];
        float n[32];
        tarn_gru_many_f32(p, side, x, h, 0, 0, j, z, clip);
        tarn_sigmoid_many(z, count);
        if (linear != 0) {
            float r[32];
            float m[32];
            tarn_gru_many_f32(p, side, x, h, 1, 1, j, r, clip);
            tarn_sigmoid_many(r, count);
            tarn_gru_many_f32(p, side, NULL, h, 2, 3, j, m, TARN_INF_F);
            tarn_gru_many_f32(p, side, x, NULL, 2, 2, j, n, TARN_INF_F);
            for (l = 0; l < count; ++l) {
                n[l] = tarn_recurrent_clip_f32(n[l] + (r[l] * m[l]), clip);
            }
        } else {
            tarn_gru_many_f32(p, side, x, (h != NULL) ? reset : NULL, 2, 2, j, n, clip);
        }
        tarn_tanh_many(n, count);
        for (l = 0; l < count; ++l) {
            out[j + l] = ((1 - z[l]) * n[l]) + (z[l] * ((h != NULL) ? h[j + l] : 0));
        }
    }
}
#endif

/* One step of one sequence. h: the state before, NULL for 0. reset[units]: scratch, not used when linear before reset. plain: the
 * functions are sigmoid and tanh. */
TARN_FORCE_INLINE void tarn_gru_step_f32(const tarn_gru_f32_params *p, const tarn_gru_f32_side *side, const tarn_f32 *x,
                                         const tarn_f32 *h, tarn_f32 *reset, tarn_f32 *out, tarn_activate_f32 gate,
                                         tarn_activate_f32 cell, tarn_recurrent_products_f32 products,
                                         int32_t plain TARN_UNUSED)
{
    const int32_t units = p->all.units;
    const int32_t inputs = p->all.inputs;
    const tarn_acc_f32 clip = p->all.clip;
    const int32_t linear = p->linear_before_reset;
    int32_t j;
    int32_t l;
#if defined(TARN_MANY_F32)
    if ((plain != 0) && (products == tarn_recurrent_plain_f32) && (p->all.packed != 0)) {
        tarn_gru_step_avx2_f32(p, side, x, h, reset, out);
        return;
    }
#endif
    /* The gates z (kept in out) and r. Without a state before, r has nothing to reset. */
    for (j = 0; (j < units) && (linear == 0) && (h != NULL); j += 4) {
        const int32_t rows = ((units - j) < 4) ? (units - j) : 4;
        tarn_quad_f32 s = tarn_gru_bias_f32(p, side->b, 1, j, rows, 3);
        tarn_acc_f32 v[4];
        tarn_gru_rows_f32(p, &s, x, side->w, side->w_at, inputs, 1, j, rows, products);
        tarn_gru_rows_f32(p, &s, h, side->r, side->r_at, units, 1, j, rows, products);
        v[0] = s.a;
        v[1] = s.b;
        v[2] = s.c;
        v[3] = s.d;
#if defined(TARN_MANY_F32)
        if (plain != 0) {
            for (l = 0; l < 4; ++l) {
                v[l] = tarn_recurrent_clip_f32(v[l], clip);
            }
            tarn_sigmoid_many(v, 4);
            for (l = 0; l < rows; ++l) {
                reset[j + l] = v[l] * h[j + l];
            }
            continue;
        }
#endif
        for (l = 0; l < rows; ++l) {
            const tarn_acc_f32 r = gate(side->f, tarn_recurrent_clip_f32(v[l], clip));
            reset[j + l] = tarn_store_f32(r * tarn_load_f32(h[j + l]));
        }
    }
    for (j = 0; j < units; j += 4) {
        const int32_t rows = ((units - j) < 4) ? (units - j) : 4;
        tarn_quad_f32 s = tarn_gru_bias_f32(p, side->b, 0, j, rows, 3);
        tarn_acc_f32 z[4];
        tarn_acc_f32 r[4];
        tarn_acc_f32 n[4];
        tarn_acc_f32 m[4];
        tarn_gru_rows_f32(p, &s, x, side->w, side->w_at, inputs, 0, j, rows, products);
        if (h != NULL) {
            tarn_gru_rows_f32(p, &s, h, side->r, side->r_at, units, 0, j, rows, products);
        }
        z[0] = s.a;
        z[1] = s.b;
        z[2] = s.c;
        z[3] = s.d;
        if (linear != 0) {
            s = tarn_gru_bias_f32(p, side->b, 1, j, rows, 3);
            tarn_gru_rows_f32(p, &s, x, side->w, side->w_at, inputs, 1, j, rows, products);
            if (h != NULL) {
                tarn_gru_rows_f32(p, &s, h, side->r, side->r_at, units, 1, j, rows, products);
            }
            r[0] = s.a;
            r[1] = s.b;
            r[2] = s.c;
            r[3] = s.d;
            s = tarn_gru_bias_f32(p, side->b, 2, j, rows, 2);
            if (h != NULL) {
                tarn_gru_rows_f32(p, &s, h, side->r, side->r_at, units, 2, j, rows, products);
            }
            m[0] = s.a;
            m[1] = s.b;
            m[2] = s.c;
            m[3] = s.d;
        } else {
            r[0] = r[1] = r[2] = r[3] = 0;
            m[0] = m[1] = m[2] = m[3] = 0;
        }
        s = tarn_gru_bias_f32(p, side->b, 2, j, rows, (linear != 0) ? 1 : 3);
        tarn_gru_rows_f32(p, &s, x, side->w, side->w_at, inputs, 2, j, rows, products);
        if ((linear == 0) && (h != NULL)) {
            tarn_gru_rows_f32(p, &s, reset, side->r, side->r_at, units, 2, j, rows, products);
        }
        n[0] = s.a;
        n[1] = s.b;
        n[2] = s.c;
        n[3] = s.d;
#if defined(TARN_MANY_F32)
        if (plain != 0) {
            float gates[8]; /* z and r of four units each */
            for (l = 0; l < 4; ++l) {
                gates[l] = tarn_recurrent_clip_f32(z[l], clip);
                gates[4 + l] = tarn_recurrent_clip_f32(r[l], clip);
            }
            tarn_sigmoid_many(gates, (linear != 0) ? 8 : 4);
            for (l = 0; l < 4; ++l) {
                n[l] = tarn_recurrent_clip_f32((linear != 0) ? (n[l] + (gates[4 + l] * m[l])) : n[l], clip);
            }
            tarn_tanh_many(n, 4);
            for (l = 0; l < rows; ++l) {
                out[j + l] = ((1 - gates[l]) * n[l]) + (gates[l] * ((h != NULL) ? h[j + l] : 0));
            }
            continue;
        }
#endif
        for (l = 0; l < rows; ++l) {
            const tarn_acc_f32 keep = gate(side->f, tarn_recurrent_clip_f32(z[l], clip));
            const tarn_acc_f32 before = (h != NULL) ? tarn_load_f32(h[j + l]) : 0;
            tarn_acc_f32 v = n[l];
            if (linear != 0) {
                v += gate(side->f, tarn_recurrent_clip_f32(r[l], clip)) * m[l];
            }
            v = cell(side->g, tarn_recurrent_clip_f32(v, clip));
            out[j + l] = tarn_store_f32(((1 - keep) * v) + (keep * before));
        }
    }
}

/* All sequences, one after the other. */
TARN_FORCE_INLINE void tarn_gru_core_f32(const tarn_gru_f32_params *p, const tarn_f32 *x, const void *w,
                                         const void *r, const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0,
                                         tarn_f32 *scratch, tarn_f32 *y, tarn_f32 *y_h, tarn_activate_f32 gate,
                                         tarn_activate_f32 cell, tarn_recurrent_products_f32 products, int32_t plain)
{
    const tarn_recurrent_f32_params *all = &p->all;
    const int32_t units = all->units;
    const int32_t u = (all->packed != 0) ? ((units + 3) / 4 * 4) : units;
    int32_t d;
    int32_t i;
    for (d = 0; d < all->directions; ++d) {
        const int32_t back = (d > 0) || (all->reverse != 0);
        tarn_gru_f32_side side;
        side.w = w;
        side.r = r;
        side.w_at = (ptrdiff_t)d * 3 * u * all->inputs;
        side.r_at = (ptrdiff_t)d * 3 * u * units;
        side.b = (b != NULL) ? (b + ((ptrdiff_t)d * ((all->packed != 0) ? 4 : 6) * u)) : NULL;
        side.f = &p->f[d];
        side.g = &p->g[d];
        for (i = 0; i < all->batch; ++i) {
            const int32_t state = (d * all->s_direction) + (i * all->s_batch);
            const int32_t length = tarn_recurrent_length_f32(all, lengths, i);
            const tarn_f32 *h = ((h0 != NULL) && (length > 0)) ? (h0 + state) : NULL;
            tarn_f32 *spare = ((p->linear_before_reset != 0) || (scratch == NULL)) ? scratch : (scratch + units);
            tarn_f32 *out = (y != NULL) ? (y + ((ptrdiff_t)d * all->y_direction) + ((ptrdiff_t)i * all->y_batch)) : NULL;
            tarn_f32 *last = (y_h != NULL) ? (y_h + state) : NULL;
            int32_t s;
            for (s = 0; s < length; ++s) {
                const int32_t t = (back != 0) ? (length - 1 - s) : s;
                tarn_f32 *next = tarn_recurrent_state_f32(all, s, length, t, out, last, spare);
                tarn_gru_step_f32(p, &side, x + ((ptrdiff_t)t * all->x_time) + ((ptrdiff_t)i * all->x_batch), h, scratch, next, gate, cell, products, plain);
                h = next;
            }
            tarn_recurrent_finish_f32(all, length, h, out, last);
        }
    }
}

#endif
