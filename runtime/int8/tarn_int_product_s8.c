/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_product_s8.h"

/* A code that may be as far off as 32 bits are. */
TARN_FORCE_INLINE int8_t int_product_bound_s8(int32_t code, int32_t lo, int32_t hi)
{
    const int32_t above = (code < lo) ? lo : code;
    return (int8_t)((above > hi) ? hi : above);
}

static void int_product_run_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    const int32_t a_zero = p->own.a_zero;
    const int32_t m = p->m;
    const int32_t b_part = p->own.b_zero * m;
    const int32_t constant = p->constant;
    const int32_t mask = p->mask;
    const int32_t post = p->post;
    const int32_t a_step = p->a_step;
    const int32_t b_step = p->b_step;
    const int8_t *b_at = b;
    const int8_t *a_at = a;
    int8_t *y_at = y;
    int32_t left;
    for (left = p->inner; left > 0; --left) {
        const int32_t u = *a_at;
        const int32_t v = *b_at;
        const int32_t t = ((u - a_zero) * ((v * m) - b_part)) + constant;
        if ((t & mask) != 0) {
            *y_at = int_product_bound_s8(t >> post, p->own.lo, p->own.hi);
        } else {
            *y_at = (int8_t)tarn_int_own_s8(&p->own, u, v);
        }
        a_at += a_step;
        b_at += b_step;
        ++y_at;
    }
}

static void int_quotient_run_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                const int32_t *factors)
{
    const int32_t a_zero = p->own.a_zero;
    const int32_t constant = p->constant;
    const int32_t mask = p->mask;
    const int32_t post = p->post;
    const int32_t a_step = p->a_step;
    const int32_t b_step = p->b_step;
    const int32_t *middle = factors + 128;
    const int8_t *b_at = b;
    const int8_t *a_at = a;
    int8_t *y_at = y;
    int32_t left;
    for (left = p->inner; left > 0; --left) {
        const int32_t u = *a_at;
        const int32_t v = *b_at;
        const int32_t factor = middle[v];
        const int32_t t = ((u - a_zero) * factor) + constant;
        if (((t & mask) != 0) && (factor != 0)) {
            *y_at = int_product_bound_s8(t >> post, p->own.lo, p->own.hi);
        } else {
            *y_at = (int8_t)tarn_int_own_s8(&p->own, u, v);
        }
        a_at += a_step;
        b_at += b_step;
        ++y_at;
    }
}

TARN_API void tarn_int_product_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                  const int32_t *factors)
{
    const int8_t *a_at = a;
    const int8_t *b_at = b;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        if (factors != NULL) {
            int_quotient_run_s8(p, a_at, b_at, y_at, factors);
        } else {
            int_product_run_s8(p, a_at, b_at, y_at);
        }
        a_at += p->a_pitch;
        b_at += p->b_pitch;
        y_at += p->y_pitch;
    }
}
