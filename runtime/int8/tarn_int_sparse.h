/* SPDX-License-Identifier: MIT-0
 * Sums of products of codes with weights of which most are zero. Those that are not stand one behind the other, and for each output
 * `gaps` has how many there are, 16 bits, least byte first, and then a byte for each: how many zeros there are before it. More
 * than 255 have a weight of zero among them. */
#ifndef TARN_INT_SPARSE_H
#define TARN_INT_SPARSE_H

#include "tarn.h"

TARN_BEGIN_C

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__)
#define TARN_INT_SPARSE_ASM 1
#define TARN_INT_SPARSE_PRODUCT "ldrb %4,[%0],#1\n\tldrsb %5,[%1],#1\n\tadd %2,%4\n\tldrsb %4,[%2],#1\n\tsmlabb %3,%4,%5,%3\n\t"
#else
#define TARN_INT_SPARSE_ASM 0
#endif

typedef struct {
    const int8_t *w;
    const uint8_t *gaps;
} tarn_int_sparse_weights;

/* Adds an output's products to its sum, and moves on to the next output's weights. */
TARN_FORCE_INLINE int32_t tarn_int_sparse_sum(tarn_int_sparse_weights *at, int32_t sum, const int8_t *x)
{
    const int32_t count = (int32_t)at->gaps[0] | ((int32_t)at->gaps[1] << 8);
    const uint8_t *gap = at->gaps + 2;
    const uint8_t *end = gap + count;
    const int8_t *w = at->w;
    const int8_t *x_at = x;
    int32_t s = sum;
#if TARN_INT_SPARSE_ASM
    /* Two at a time, behind an odd one. */
    int32_t a;
    int32_t b;
    __asm__ volatile("lsls %5,%6,#31\n\tbpl 2f\n\t" TARN_INT_SPARSE_PRODUCT "b 2f\n"
                     "1:\n\t" TARN_INT_SPARSE_PRODUCT TARN_INT_SPARSE_PRODUCT "2:\n\tcmp %0,%7\n\tbne 1b"
                     : "+&r"(gap), "+&r"(w), "+&r"(x_at), "+&r"(s), "=&r"(a), "=&r"(b)
                     : "r"(count), "r"(end)
                     : "memory", "cc");
#else
    while (gap != end) {
        x_at += *gap++;
        s += *w++ * *x_at++;
    }
#endif
    at->gaps = gap;
    at->w = w;
    return s;
}

TARN_END_C
#endif
