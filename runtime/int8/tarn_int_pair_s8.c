/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_pair_s8.h"
#include "tarn_int_mve_pairs.h"

#if TARN_INT_MVE_ASM

/* Writes a run but for less than four codes at its end, and returns how many. */
static int32_t int_pair_fours_s8(const tarn_int_pair_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    const int32_t whole = p->inner & ~3;
    tarn_int_mve_pairs s;
    if ((p->a_step == 0) || (p->b_step == 0)) {
        return 0;
    }
    s.a = a;
    s.b = b;
    s.y = y;
    s.fours = whole / 4;
    s.constant = p->constant;
    s.down = -p->post;
    s.a_factor = p->a_factor;
    s.b_factor = p->b_factor;
    s.mask = p->mask;
    s.lo = p->own.lo;
    s.hi = p->own.hi;
    tarn_int_mve_pairs_begin(&s);
    while (s.fours > 0) {
        const tarn_int_mve_near_pairs *end = tarn_int_mve_pair_sums(&s);
        const tarn_int_mve_near_pairs *at;
        for (at = s.list; at != end; ++at) {
            uint32_t lanes = at->lanes;
            int32_t lane = 0;
            for (; lanes != 0u; lanes >>= 4) {
                if ((lanes & 1u) != 0u) {
                    at->end[lane - 4] = (int8_t)tarn_int_own_s8(&p->own, at->a[lane], at->b[lane]);
                }
                ++lane;
            }
        }
    }
    return whole;
}

#endif

TARN_API void tarn_int_pair_s8(const tarn_int_pair_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
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
        i = int_pair_fours_s8(p, pa, pb, y_at);
        pa += i;
        pb += i;
#endif
        for (; i < p->inner; ++i) {
            const int32_t t = (*pa * p->a_factor) + (*pb * p->b_factor) + p->constant;
            int32_t code;
            if ((t & p->mask) == 0) {
                code = tarn_int_own_s8(&p->own, *pa, *pb);
            } else {
                code = t >> p->post;
                code = (code < p->own.lo) ? p->own.lo : code;
                code = (code > p->own.hi) ? p->own.hi : code;
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
