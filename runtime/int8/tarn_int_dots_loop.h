/* SPDX-License-Identifier: MIT-0
 * The loop of sums of products for four outputs: codes x up to `end`, weights w as [n/4][4 outputs][4 of n]; adds to sums[4]. */
#ifndef TARN_INT_DOTS_LOOP_H
#define TARN_INT_DOTS_LOOP_H

#include "tarn.h"

/* What is loaded before it is needed takes registers that are not there. */
#if TARN_USE_ASM
#define TARN_INT_DOTS_STEP __asm__ volatile("" : : : "memory")
#else
#define TARN_INT_DOTS_STEP ((void)0)
#endif

/* One code, of four. */
#define TARN_INT_DOTS_ONE(k)                                                                              \
    do {                                                                                                  \
        const int32_t v = x[k];                                                                           \
        a += w[k] * v;                                                                                    \
        b += w[4 + (k)] * v;                                                                              \
        c += w[8 + (k)] * v;                                                                              \
        d += w[12 + (k)] * v;                                                                             \
        TARN_INT_DOTS_STEP;                                                                               \
    } while (0)

/* Four codes and their weights; x and w move on. */
#define TARN_INT_DOTS_PLAIN                                                                               \
    TARN_INT_DOTS_ONE(0);                                                                                 \
    TARN_INT_DOTS_ONE(1);                                                                                 \
    TARN_INT_DOTS_ONE(2);                                                                                 \
    TARN_INT_DOTS_ONE(3);                                                                                 \
    x += 4;                                                                                               \
    w += 16

/* `step`: as above, or instructions that do the same to a, b, c and d. */
#define TARN_INT_DOTS_LOOP(step)                                                                          \
    int32_t a = sums[0];                                                                                  \
    int32_t b = sums[1];                                                                                  \
    int32_t c = sums[2];                                                                                  \
    int32_t d = sums[3];                                                                                  \
    do {                                                                                                  \
        step;                                                                                             \
    } while (x != end);                                                                                   \
    sums[0] = a;                                                                                          \
    sums[1] = b;                                                                                          \
    sums[2] = c;                                                                                          \
    sums[3] = d

#endif
