/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve_few.h"
#include "tarn_int_mve_outputs.h"
#include "tarn_int_mve_shell.h"

#if TARN_INT_MVE_ASM

/* Two outputs, lanes `low` and `high`, as TARN_INT_MVE_PAIR has them, of two patches, the first of which stands for the third too, and of one. */
#define TARN_INT_MVE_PAIR_OF_TWO(low, high, begin)                                                        \
    "ldrd r1,r3,[r12]\n\tldr lr,[r12,#12]\n\tldrd r0,r6,[r9,#" begin "]\n\tmov r2,r0\n\tmov r8,r6\n\tdlstp.8 lr,lr\n" \
    "2:\n\tvldrb.8 q0,[r11],#32\n\tvldrb.8 q1,[r1],#16\n\tvldrb.8 q2,[r3],#16\n\t"                        \
    "vmladava.s8 r0,q0,q1\n\tvldrb.8 q4,[r11,#-16]\n\tvmladava.s8 r2,q0,q2\n\t"                          \
    "vmladava.s8 r6,q4,q1\n\tvmladava.s8 r8,q4,q2\n\tletp lr,2b\n\t"                                    \
    "vmov q5[" high "],q5[" low "],r0,r6\n\tvmov q6[" high "],q6[" low "],r2,r8\n\t"
#define TARN_INT_MVE_PAIR_OF_ONE(low, high, begin)                                                        \
    "ldr r1,[r12]\n\tldr lr,[r12,#12]\n\tldrd r0,r6,[r9,#" begin "]\n\tdlstp.8 lr,lr\n"                   \
    "2:\n\tvldrb.8 q0,[r11],#32\n\tvldrb.8 q1,[r1],#16\n\tvmladava.s8 r0,q0,q1\n\tvldrb.8 q4,[r11,#-16]\n\t" \
    "vmladava.s8 r6,q4,q1\n\tletp lr,2b\n\tvmov q5[" high "],q5[" low "],r0,r6\n\t"

TARN_NAKED static void int_mve_two(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                   const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE_PAIR_OF_TWO("0", "2", "0") TARN_INT_MVE_PAIR_OF_TWO("1", "3", "8") "vmov q7,q5\n\t"
            TARN_INT_MVE_CODES_OF_THREE
            : : "i"(tarn_int_mve_near));
}

TARN_NAKED static void int_mve_one(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                   const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE_PAIR_OF_ONE("0", "2", "0") TARN_INT_MVE_PAIR_OF_ONE("1", "3", "8") TARN_INT_MVE_CODES_OF_ONE
            : : "i"(tarn_int_mve_near));
}

#else

#define int_mve_two tarn_int_mve_block
#define int_mve_one tarn_int_mve_block

#endif

static void int_mve_few(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
    if (s->x[1] != s->x[0]) {
        int_mve_two(s, w, q);
    } else {
        int_mve_one(s, w, q);
    }
}

TARN_API void tarn_int_mve_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                 int32_t count)
{
    tarn_int_mve_outputs_by(s, 1, w, q, w_zero, y, pitch, count, int_mve_few, int_mve_few);
}
