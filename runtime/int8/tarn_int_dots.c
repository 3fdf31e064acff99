/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dots.h"
#include "tarn_int_dots_loop.h"

#if TARN_USE_ASM && defined(__thumb__) && defined(__ARM_ARCH) && __ARM_ARCH == 6
#define TARN_INT_DOTS_V6 1
#else
#define TARN_INT_DOTS_V6 0
#endif

#if TARN_INT_DOTS_V6

/* Eight low registers: products overwrite a factor, and only an unsigned byte has a constant offset. The end of x is in lr. */
#define TARN_INT_DOTS_V6_UNSIGNED(to, from, at) "ldrb " to ",[" from ",#" at "]\n\t"
#define TARN_INT_DOTS_V6_SIGNED(to, from, at) "movs " to ",#" at "\n\tldrsb " to ",[" from "," to "]\n\t"
#define TARN_INT_DOTS_V6_MAC(W, at, sum) W("r3", "r1", at) "muls r3,r0\n\tadds " sum "," sum ",r3\n\t"
#define TARN_INT_DOTS_V6_FOUR(W, a, b, c, d)                                                              \
    TARN_INT_DOTS_V6_MAC(W, a, "r4") TARN_INT_DOTS_V6_MAC(W, b, "r5") TARN_INT_DOTS_V6_MAC(W, c, "r6") TARN_INT_DOTS_V6_MAC(W, d, "r7")
#define TARN_INT_DOTS_V6_BODY(W, X)                                                                       \
    ".syntax unified\n\tpush {r4-r7,lr}\n\tadds r3,r3,r2\n\tmov lr,r3\n\tmov r12,r0\n\tldmia r0!,{r4-r7}\n1:\n\t"  \
    X("r0", "r2", "0") TARN_INT_DOTS_V6_FOUR(W, "0", "4", "8", "12")                                      \
    X("r0", "r2", "1") TARN_INT_DOTS_V6_FOUR(W, "1", "5", "9", "13")                                      \
    X("r0", "r2", "2") TARN_INT_DOTS_V6_FOUR(W, "2", "6", "10", "14")                                     \
    X("r0", "r2", "3") TARN_INT_DOTS_V6_FOUR(W, "3", "7", "11", "15")                                     \
    "adds r2,#4\n\tadds r1,#16\n\tcmp r2,lr\n\tbne 1b\n\tmov r0,r12\n\tstmia r0!,{r4-r7}\n\tpop {r4-r7,pc}"

TARN_NAKED TARN_API void tarn_int_dots(int32_t *sums TARN_UNUSED, const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                       int32_t n TARN_UNUSED)
{
    __asm__(TARN_INT_DOTS_V6_BODY(TARN_INT_DOTS_V6_SIGNED, TARN_INT_DOTS_V6_SIGNED));
}

TARN_NAKED TARN_API void tarn_int_dots_unsigned(int32_t *sums TARN_UNUSED, const uint8_t *w TARN_UNUSED,
                                                const uint8_t *x TARN_UNUSED, int32_t n TARN_UNUSED)
{
    __asm__(TARN_INT_DOTS_V6_BODY(TARN_INT_DOTS_V6_UNSIGNED, TARN_INT_DOTS_V6_UNSIGNED));
}

TARN_NAKED TARN_API void tarn_int_dots_mixed(int32_t *sums TARN_UNUSED, const uint8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                             int32_t n TARN_UNUSED)
{
    __asm__(TARN_INT_DOTS_V6_BODY(TARN_INT_DOTS_V6_UNSIGNED, TARN_INT_DOTS_V6_SIGNED));
}

#else

TARN_NOINLINE TARN_API void tarn_int_dots(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
    TARN_INT_DOTS_LOOP(TARN_INT_DOTS_PLAIN);
}

TARN_NOINLINE TARN_API void tarn_int_dots_unsigned(int32_t *sums, const uint8_t *w, const uint8_t *x, int32_t n)
{
    const uint8_t *end = x + n;
    TARN_INT_DOTS_LOOP(TARN_INT_DOTS_PLAIN);
}

TARN_NOINLINE TARN_API void tarn_int_dots_mixed(int32_t *sums, const uint8_t *w, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
    TARN_INT_DOTS_LOOP(TARN_INT_DOTS_PLAIN);
}

#endif

#if TARN_INT_DOTS_MANY

#define TARN_INT_DOTS_PIXEL(s, at)                                                                        \
    v = x[at];                                                                                            \
    s##0 += w0 * v;                                                                                       \
    s##1 += w1 * v;                                                                                       \
    s##2 += w2 * v;                                                                                       \
    s##3 += w3 * v

#define TARN_INT_DOTS_FOUR(k)                                                                             \
    do {                                                                                                  \
        const int32_t w0 = w[k];                                                                          \
        const int32_t w1 = w[4 + (k)];                                                                    \
        const int32_t w2 = w[8 + (k)];                                                                    \
        const int32_t w3 = w[12 + (k)];                                                                   \
        int32_t v;                                                                                        \
        TARN_INT_DOTS_PIXEL(a, 4 * (ptrdiff_t)(k));                                                       \
        TARN_INT_DOTS_STEP;                                                                               \
        TARN_INT_DOTS_PIXEL(b, (4 * (ptrdiff_t)(k)) + 1);                                                   \
        TARN_INT_DOTS_STEP;                                                                               \
        TARN_INT_DOTS_PIXEL(c, (4 * (ptrdiff_t)(k)) + 2);                                                   \
        TARN_INT_DOTS_STEP;                                                                               \
        TARN_INT_DOTS_PIXEL(d, (4 * (ptrdiff_t)(k)) + 3);                                                   \
        TARN_INT_DOTS_STEP;                                                                               \
    } while (0)

TARN_NOINLINE TARN_API void tarn_int_dots_four(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n)
{
    const int8_t *end = x + ((ptrdiff_t)4 * n);
    int32_t a0 = sums[0], a1 = sums[1], a2 = sums[2], a3 = sums[3];
    int32_t b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    int32_t c0 = a0, c1 = a1, c2 = a2, c3 = a3;
    int32_t d0 = a0, d1 = a1, d2 = a2, d3 = a3;
    do {
        TARN_INT_DOTS_FOUR(0);
        TARN_INT_DOTS_FOUR(1);
        TARN_INT_DOTS_FOUR(2);
        TARN_INT_DOTS_FOUR(3);
        x += 16;
        w += 16;
    } while (x != end);
    sums[0] = a0;
    sums[1] = a1;
    sums[2] = a2;
    sums[3] = a3;
    sums[4] = b0;
    sums[5] = b1;
    sums[6] = b2;
    sums[7] = b3;
    sums[8] = c0;
    sums[9] = c1;
    sums[10] = c2;
    sums[11] = c3;
    sums[12] = d0;
    sums[13] = d1;
    sums[14] = d2;
    sums[15] = d3;
}

#else

TARN_NOINLINE TARN_API void tarn_int_dots_apart(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n)
{
    int32_t i;
    for (i = 0; i < 4; ++i) {
        int32_t sum = sums[i];
        int32_t k;
        for (k = 0; k < n; ++k) {
            sum += w[(k / 4 * 16) + (4 * i) + (k % 4)] * x[4 * k];
        }
        sums[i] = sum;
    }
}

#endif
