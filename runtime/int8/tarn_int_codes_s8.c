/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_codes_s8.h"
#include "tarn_int_dsp_sums.h"
#include "tarn_int_mve_sums.h"

TARN_API void tarn_int_codes_s8(const tarn_int_form_s8 *p, const int32_t *q, const int32_t *exceptions, int32_t slot,
                                const int32_t *sums, int32_t count, tarn_int_code_s8 *y)
{
    const int32_t *q_at = q;
    int32_t i;
    q_at += (ptrdiff_t)3 * slot;
    if ((exceptions != NULL) || (p->tie > p->half_zone) || ((TARN_LESS_CODE != 0) && (TARN_INT_MVE_ASM != 0))) {
        for (i = 0; i < count; ++i) {
            y[i] = tarn_int_finish_s8(p, q, exceptions, slot, sums[i]);
        }
        return;
    }
    {
        /* Without exceptions the zone says nothing that the line and its ties do not: they lie in the zone, and beside it
         * t and t - half_zone belong to the same code. Sums and means of images come to ties often. */
#if TARN_INT_MVE_ASM
        tarn_int_sum_line s;
        s.sums = sums;
        s.y = y;
        s.count = count;
        s.begin = q_at[0];
        s.pre = p->pre;
        s.c = q_at[2] - p->half_zone;
        s.post = -p->post;
        s.parity = p->parity;
        s.tie = -p->tie;
        s.m = q_at[1];
        s.lo = p->lo;
        s.hi = p->hi;
        tarn_int_mve_line_codes(&s);
#elif TARN_INT_DSP_ASM
        if (count > 0) {
            tarn_int_line_codes(p, q_at, sums, count, y);
        }
#else
        const int32_t begin = q_at[0];
        const int32_t m = q_at[1];
        const int32_t c = q_at[2] - p->half_zone;
        const int32_t pre = p->pre;
        const int32_t post = p->post;
        const int32_t fraction = (int32_t)(((uint32_t)1 << post) - 1u);
        const int32_t tie = p->tie;
        const int32_t parity = p->parity;
        const int32_t lo = p->lo;
        const int32_t hi = p->hi;
        for (i = 0; i < count; ++i) {
            const int32_t t = c + tarn_mulhi_s32((int32_t)((uint32_t)(begin + sums[i]) << pre), m);
            const int32_t q0 = t >> post;
            /* Below the tie: the sign of the difference. */
            const uint32_t early = (uint32_t)((t & fraction) - tie) >> 31;
            int32_t code = q0 - (int32_t)((uint32_t)(q0 + parity) & early);
            code = (code < lo) ? lo : code;
            code = (code > hi) ? hi : code;
            y[i] = (tarn_int_code_s8)code;
        }
#endif
    }
}
