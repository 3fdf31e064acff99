/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_add_s8.h"
#include "tarn_int_mve_pairs.h"

#if TARN_INT_MVE_ASM

/* Writes a run but for less than four codes at its end, and returns how many. */
#if TARN_LESS_CODE

/* Of two operands of which neither stays, and without exceptions. */
static int32_t int_add_fours_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                const int32_t *exceptions)
{
    tarn_int_mve_pairs s;
    if (((p->a_step & p->b_step) == 0) || (exceptions != NULL) || (p->requant.tie > p->requant.half_zone)) {
        return 0;
    }
    s.a = a;
    s.b = b;
    s.y = y;
    s.fours = p->inner / 4;
    s.constant = p->constant - p->requant.half_zone;
    s.down = -p->requant.post;
    s.a_factor = p->a_factor;
    s.b_factor = p->b_factor;
    s.mask = 1;
    s.lo = p->requant.lo;
    s.hi = p->requant.hi;
    s.parity = p->requant.parity;
    s.tie = -p->requant.tie;
    tarn_int_mve_pair_ties(&s);
    return p->inner & ~3;
}

#else

static int32_t int_add_fours_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                const int32_t *exceptions)
{
    const int32_t whole = p->inner & ~3;
    tarn_int_mve_pairs s;
    /* An operand that stays is part of the constant; the other stands for it. */
    s.a = (p->a_step != 0) ? a : b;
    s.b = (p->b_step != 0) ? b : a;
    s.a_factor = (p->a_step != 0) ? p->a_factor : 0;
    s.b_factor = (p->b_step != 0) ? p->b_factor : 0;
    s.constant = p->constant + ((p->a_step != 0) ? 0 : (*a * p->a_factor)) + ((p->b_step != 0) ? 0 : (*b * p->b_factor));
    s.y = y;
    s.fours = whole / 4;
    s.down = -p->requant.post;
    s.mask = p->requant.mask;
    s.lo = p->requant.lo;
    s.hi = p->requant.hi;
    if ((p->a_step + p->b_step) == 0) {
        return 0;
    }
    if ((exceptions == NULL) && (p->requant.tie <= p->requant.half_zone)) {
        /* As in tarn_int_codes_s8(). */
        s.constant -= p->requant.half_zone;
        s.mask = 1;
        s.parity = p->requant.parity;
        s.tie = -p->requant.tie;
        tarn_int_mve_pair_ties(&s);
        return whole;
    }
    tarn_int_mve_pairs_begin(&s);
    while (s.fours > 0) {
        const tarn_int_mve_near_pairs *end = tarn_int_mve_pair_sums(&s);
        const tarn_int_mve_near_pairs *at;
        for (at = s.list; at != end; ++at) {
            uint32_t lanes = at->lanes;
            int32_t lane = 0;
            for (; lanes != 0u; lanes >>= 4) {
                if ((lanes & 1u) != 0u) {
                    const int32_t u = (p->a_step != 0) ? at->a[lane] : *a;
                    const int32_t v = (p->b_step != 0) ? at->b[lane] : *b;
                    at->end[lane - 4] = (int8_t)tarn_requant_near(&p->requant, exceptions, 0, (u * 256) + v,
                                                                  (u * p->a_factor) + (v * p->b_factor) + p->constant, 0);
                }
                ++lane;
            }
        }
    }
    return whole;
}

#endif

#endif

TARN_API void tarn_int_add_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                              const int32_t *exceptions)
{
    const int8_t *a_at = a;
    const int8_t *b_at = b;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int8_t *pa = a_at;
        const int8_t *pb = b_at;
        int32_t i = 0;
#if TARN_INT_MVE_ASM
        i = int_add_fours_s8(p, pa, pb, y_at, exceptions);
        pa += (ptrdiff_t)i * p->a_step;
        pb += (ptrdiff_t)i * p->b_step;
#endif
        for (; i < p->inner; ++i) {
            const int32_t u = *pa;
            const int32_t v = *pb;
            const int32_t t = (u * p->a_factor) + (v * p->b_factor) + p->constant;
            int32_t code;
            if ((t & p->requant.mask) == 0) {
                code = tarn_requant_near(&p->requant, exceptions, 0, (u * 256) + v, t, 0);
            } else {
                code = tarn_requant_clamp(&p->requant, t >> p->requant.post);
            }
            y_at[i] = (int8_t)code;
            pa += p->a_step;
            pb += p->b_step;
        }
        a_at += p->a_pitch;
        b_at += p->b_pitch;
        y_at += p->y_pitch;
    }
}
