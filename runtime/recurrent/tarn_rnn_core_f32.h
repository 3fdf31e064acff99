/* SPDX-License-Identifier: MIT-0
 * RNN, as text for its kernels: the activation function is compiled into it. h' = f(x W + h R + b). */
#ifndef TARN_RNN_CORE_F32_H
#define TARN_RNN_CORE_F32_H

#include "tarn_recurrent_f32.h"

typedef struct {
    tarn_recurrent_f32_params all;
    tarn_activation_f32_params f[2]; /* by direction */
} tarn_rnn_f32_params;

/* One step of one sequence. h: the state before, NULL for 0. Packed, u = units rounded up to 4: w, r [u / 4][k][4], b [u]. */
TARN_FORCE_INLINE void tarn_rnn_step_f32(const tarn_rnn_f32_params *p, const tarn_activation_f32_params *f,
                                         const void *w, ptrdiff_t w_at, const void *r, ptrdiff_t r_at, const tarn_f32 *b,
                                         const tarn_f32 *x, const tarn_f32 *h, tarn_f32 *out, tarn_activate_f32 activate,
                                         tarn_recurrent_products_f32 products)
{
    const int32_t units = p->all.units;
    int32_t j;
    int32_t l;
    for (j = 0; j < units; j += 4) {
        const int32_t rows = ((units - j) < 4) ? (units - j) : 4;
        tarn_quad_f32 s = {0, 0, 0, 0};
        tarn_acc_f32 v[4];
        products(&s, x, w, w_at + ((ptrdiff_t)j * p->all.inputs), p->all.inputs, p->all.packed, p->all.inputs, rows);
        if (h != NULL) {
            products(&s, h, r, r_at + ((ptrdiff_t)j * units), units, p->all.packed, units, rows);
        }
        v[0] = s.a;
        v[1] = s.b;
        v[2] = s.c;
        v[3] = s.d;
        for (l = 0; l < rows; ++l) {
            if (b != NULL) {
                v[l] += tarn_load_f32(b[j + l]);
                v[l] += (p->all.packed != 0) ? 0 : tarn_load_f32(b[units + j + l]);
            }
            out[j + l] = tarn_store_f32(activate(f, tarn_recurrent_clip_f32(v[l], p->all.clip)));
        }
    }
}

/* All sequences, one after the other. */
TARN_FORCE_INLINE void tarn_rnn_core_f32(const tarn_rnn_f32_params *p, const tarn_f32 *x, const void *w,
                                         const void *r, const tarn_f32 *b, const int32_t *lengths, const tarn_f32 *h0,
                                         tarn_f32 *scratch, tarn_f32 *y, tarn_f32 *y_h, tarn_activate_f32 activate,
                                         tarn_recurrent_products_f32 products)
{
    const tarn_recurrent_f32_params *all = &p->all;
    const int32_t units = all->units;
    const int32_t u = (all->packed != 0) ? ((units + 3) / 4 * 4) : units;
    int32_t d;
    int32_t i;
    for (d = 0; d < all->directions; ++d) {
        const int32_t back = (d > 0) || (all->reverse != 0);
        const ptrdiff_t w_at = (ptrdiff_t)d * u * all->inputs;
        const ptrdiff_t r_at = (ptrdiff_t)d * u * units;
        const tarn_f32 *bias = (b != NULL) ? (b + ((ptrdiff_t)d * ((all->packed != 0) ? u : (2 * units)))) : NULL;
        for (i = 0; i < all->batch; ++i) {
            const int32_t state = (d * all->s_direction) + (i * all->s_batch);
            const int32_t length = tarn_recurrent_length_f32(all, lengths, i);
            const tarn_f32 *h = ((h0 != NULL) && (length > 0)) ? (h0 + state) : NULL;
            tarn_f32 *out = (y != NULL) ? (y + ((ptrdiff_t)d * all->y_direction) + ((ptrdiff_t)i * all->y_batch)) : NULL;
            tarn_f32 *last = (y_h != NULL) ? (y_h + state) : NULL;
            int32_t s;
            for (s = 0; s < length; ++s) {
                const int32_t t = (back != 0) ? (length - 1 - s) : s;
                tarn_f32 *next = tarn_recurrent_state_f32(all, s, length, t, out, last, scratch);
                tarn_rnn_step_f32(p, &p->f[d], w, w_at, r, r_at, bias, x + ((ptrdiff_t)t * all->x_time) + ((ptrdiff_t)i * all->x_batch), h,
                                  next, activate, products);
                h = next;
            }
            tarn_recurrent_finish_f32(all, length, h, out, last);
        }
    }
}

#endif
