/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_product_s8.h"
#include "tarn_int_mve_pairs.h"

/* A code that may be as far off as 32 bits are. */
TARN_FORCE_INLINE int8_t int_product_bound_s8(int32_t code, int32_t lo, int32_t hi)
{
    const int32_t above = (code < lo) ? lo : code;
    return (int8_t)((above > hi) ? hi : above);
}

#if TARN_INT_MVE_ASM

/* Writes products but for less than four at the end of a run, and returns how many. */
static int32_t int_product_fours_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    const int32_t whole = p->inner & ~3;
    tarn_int_mve_pairs s;
    s.a = (p->a_step != 0) ? a : b;
    s.b = (p->b_step != 0) ? b : a;
    s.y = y;
    s.fours = whole / 4;
    s.constant = p->constant;
    s.down = -p->post;
    s.a_factor = p->m;
    s.b_factor = p->own.b_zero * p->m;
    s.a_zero = p->own.a_zero;
    s.mask = p->mask;
    s.lo = p->own.lo;
    s.hi = p->own.hi;
    if ((p->a_step + p->b_step) == 0) {
        return 0;
    }
    if ((p->a_step + p->b_step) == 1) {
        /* A factor that stays: a line. */
        const int32_t stays = (p->a_step != 0) ? (*b - p->own.b_zero) : (*a - p->own.a_zero);
        s.a_factor = (p->a_step != 0) ? (stays * p->m) : 0;
        s.b_factor = (p->b_step != 0) ? (stays * p->m) : 0;
        s.constant -= (stays * p->m) * ((p->a_step != 0) ? p->own.a_zero : p->own.b_zero);
    }
    tarn_int_mve_pairs_begin(&s);
    while (s.fours > 0) {
        const tarn_int_mve_near_pairs *end = ((p->a_step + p->b_step) == 2) ? tarn_int_mve_pair_products(&s) : tarn_int_mve_pair_sums(&s);
        const tarn_int_mve_near_pairs *at;
        for (at = s.list; at != end; ++at) {
            uint32_t lanes = at->lanes;
            int32_t lane = 0;
            for (; lanes != 0u; lanes >>= 4) {
                if ((lanes & 1u) != 0u) {
                    const int32_t u = (p->a_step != 0) ? at->a[lane] : *a;
                    const int32_t v = (p->b_step != 0) ? at->b[lane] : *b;
                    at->end[lane - 4] = (int8_t)tarn_int_own_s8(&p->own, u, v);
                }
                ++lane;
            }
        }
    }
    return whole;
}

#endif

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
    int32_t left = p->inner;
#if TARN_INT_MVE_ASM
    left -= int_product_fours_s8(p, a, b, y);
    a_at += (ptrdiff_t)(p->inner - left) * a_step;
    b_at += (ptrdiff_t)(p->inner - left) * b_step;
    y_at += p->inner - left;
#endif
    for (; left > 0; --left) {
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
