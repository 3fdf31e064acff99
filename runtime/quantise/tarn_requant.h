/* SPDX-License-Identifier: MIT-0
 * From an integer accumulator to an 8-bit code: t = c + hi32((acc << pre) * m), code = clamp(t >> post). The generator has
 * proved where this line is right; when t lies in a zone around a step, tarn_requant_near() decides. */
#ifndef TARN_REQUANT_H
#define TARN_REQUANT_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t pre, post;
    int32_t half_zone, mask;    /* (t & mask) == 0: inside a zone, and t - half_zone is the line's value */
    int32_t tie, parity;        /* odd codes (parity added) begin this much later */
    int32_t lo, hi;
    int32_t unit, zero;         /* 24 bits of the float32 that numbers are divided by, 0: not known; the code of zero */
} tarn_requant_params;

/* The code for a t inside a zone. Without a unit ties and exceptions decide: NULL, or where each channel's begin, then pairs in
 * ascending order: the first accumulator, and (count << 8) | (code & 255). With one the code is that of float32 arithmetic, key
 * times scale, over the unit, to the nearest whole number: m * unit, rounded to 24 bits, is the scale. |key| < 2^24 then. */
TARN_API int32_t tarn_requant_near(const tarn_requant_params *p, const int32_t *exceptions, int32_t channel,
                                   int32_t key, int32_t t, int32_t m);

/* The high word of a signed product. */
TARN_FORCE_INLINE int32_t tarn_mulhi_s32(int32_t a, int32_t b)
{
#if TARN_USE_ASM && defined(__thumb__) && defined(__ARM_ARCH) && __ARM_ARCH == 6
    /* As below, in five registers; GCC begins with the older syntax here. */
    int32_t low;
    int32_t other;
    int32_t middle;
    __asm__(".syntax unified\n\tuxth %2,%0\n\tuxth %3,%1\n\tasrs %0,%0,#16\n\tasrs %1,%1,#16\n\t"
            "mov %4,%2\n\tmuls %4,%3,%4\n\tlsrs %4,%4,#16\n\tmuls %3,%0,%3\n\tadds %3,%3,%4\n\t"
            "muls %2,%1,%2\n\tmuls %0,%1,%0\n\tuxth %4,%3\n\tasrs %3,%3,#16\n\t"
            "adds %2,%2,%4\n\tasrs %2,%2,#16\n\tadds %0,%0,%3\n\tadds %0,%0,%2"
            : "+l"(a), "+l"(b), "=&l"(low), "=&l"(other), "=&l"(middle)
            :
            : "cc");
    return a;
#elif defined(__ARM_ARCH) && __ARM_ARCH == 6
    /* No long multiplication: four short ones. */
    const uint32_t al = (uint32_t)a & 0xFFFFu;
    const uint32_t bl = (uint32_t)b & 0xFFFFu;
    const int32_t ah = a >> 16;
    const int32_t bh = b >> 16;
    const int32_t middle = ah * (int32_t)bl + (int32_t)((al * bl) >> 16);
    const int32_t other = (int32_t)al * bh + (middle & 0xFFFF);
    return ah * bh + (middle >> 16) + (other >> 16);
#else
    return (int32_t)(((int64_t)a * b) >> 32);
#endif
}

TARN_FORCE_INLINE int32_t tarn_requant_clamp(const tarn_requant_params *p, int32_t q)
{
    int32_t q_now = q;
    q_now = (q_now < p->lo) ? p->lo : q_now;
    return (q_now > p->hi) ? p->hi : q_now;
}

TARN_FORCE_INLINE int32_t tarn_requant(const tarn_requant_params *p, const int32_t *exceptions, int32_t channel,
                                       int32_t acc, int32_t m, int32_t c)
{
    const int32_t t = c + tarn_mulhi_s32((int32_t)((uint32_t)acc << p->pre), m);
    if ((t & p->mask) == 0) {
        return tarn_requant_near(p, exceptions, channel, acc, t, m);
    }
    return tarn_requant_clamp(p, t >> p->post);
}

TARN_END_C
#endif
