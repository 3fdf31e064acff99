/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_prelu_s8.h"

TARN_API void tarn_int_prelu_s8(const tarn_int_prelu_s8_params *p, const int8_t *x, const int32_t *q, const int32_t *exceptions,
                                int8_t *y)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    const int32_t zero = p->zero;
    /* Codes that are written may be anything's bytes to a compiler: what is read for each of them stands in registers. */
    const uint32_t pre = (uint32_t)p->requant.pre;
    const uint32_t post = (uint32_t)p->requant.post;
    const int32_t mask = p->requant.mask;
    const int32_t lo = p->requant.lo;
    const uint32_t range = (uint32_t)(p->requant.hi - lo);
    const int32_t *above = q + ((ptrdiff_t)2 * p->channels);
    int32_t pixel;
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        const int8_t *x_next = x_at;
        int8_t *y_next = y_at;
        const int32_t *below;
        for (below = q; below != above; below += 2) {
            const int32_t number = *x_next - zero;
            const int32_t *of = (number < 0) ? below : above;
            const int32_t t = of[1] + tarn_mulhi_s32((int32_t)((uint32_t)number << pre), of[0]);
            int32_t code = t >> post;
            if ((t & mask) == 0) {
                code = tarn_requant_near(&p->requant, exceptions, (int32_t)(of - q) / 2, number, t, of[0]);
            }
            if ((uint32_t)(code - lo) > range) {
                code = (code < lo) ? lo : p->requant.hi;
            }
            *y_next = (int8_t)code;
            ++x_next;
            ++y_next;
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
