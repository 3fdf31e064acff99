/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve2.h"
#include "tarn_int_mve_outputs.h"
#include "tarn_int_mve_shell.h"

#if TARN_INT_MVE_ASM

/* Two outputs of three patches, lanes `low` and `high` of q5 to q7: `first` and `second` bring their weights to the top of q0 and q4.
 * Each step is 16 products; the last is partly masked. */
#define TARN_INT_MVE2_PAIR(low, high, begin, first, second)                                               \
    "ldm r12,{r1,r3,r5,lr}\n\tldrd r0,r6,[r9,#" begin "]\n\t"                                             \
    "mov r2,r0\n\tmov r4,r0\n\tmov r8,r6\n\tmov r10,r6\n\tdlstp.8 lr,lr\n"                               \
    "2:\n\tvldrb.8 q0,[r11],#16\n\tvldrb.8 q1,[r1],#16\n\t" second "vldrb.8 q2,[r3],#16\n\t" first        \
    "vshr.s8 q0,q0,#6\n\tvldrb.8 q3,[r5],#16\n\tvmladava.s8 r0,q0,q1\n\tvshr.s8 q4,q4,#6\n\tvmladava.s8 r2,q0,q2\n\t" \
    "vmladava.s8 r4,q0,q3\n\tvmladava.s8 r6,q4,q1\n\tvmladava.s8 r8,q4,q2\n\tvmladava.s8 r10,q4,q3\n\t"   \
    "letp lr,2b\n\t"                                                                                      \
    "vmov q5[" high "],q5[" low "],r0,r6\n\tvmov q6[" high "],q6[" low "],r2,r8\n\t"                      \
    "vmov q7[" high "],q7[" low "],r4,r10\n\t"
/* Both pairs come out of the same bytes. */
#define TARN_INT_MVE2_FOUR                                                                                \
    TARN_INT_MVE2_PAIR("0", "2", "0", "", "vshl.i8 q4,q0,#2\n\t") "ldr r1,[r12,#44]\n\tsub r11,r1\n\t"     \
    TARN_INT_MVE2_PAIR("1", "3", "8", "vshl.i8 q0,q0,#4\n\t", "vshl.i8 q4,q0,#6\n\t")

TARN_NAKED TARN_API void tarn_int_mve2_block(tarn_int_mve2_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE2_FOUR TARN_INT_MVE_CODES_OF_THREE
            : : "i"(tarn_int_mve_near));
}

TARN_NAKED TARN_API void tarn_int_mve2_dense(tarn_int_mve2_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            /* Sums of whole bytes and of their 6, 4 and 2 low bits; and of the codes, for weights that are 2 higher. */
            "1:\n\tldr r1,[r12]\n\tldr lr,[r12,#12]\n\tmovs r0,#0\n\tmovs r2,#0\n\tmovs r4,#0\n\tmovs r6,#0\n\tmov r8,#0\n\t"
            "vmov.i8 q5,#0x3f\n\tvmov.i8 q6,#0xf\n\tvmov.i8 q7,#3\n\tdlstp.8 lr,lr\n"
            "2:\n\tvldrb.8 q1,[r11],#16\n\tvldrb.8 q0,[r1],#16\n\tvand q2,q1,q5\n\tvmladava.s8 r0,q0,q1\n\t"
            "vand q3,q1,q6\n\tvmladava.s8 r2,q0,q2\n\tvand q4,q1,q7\n\tvmladava.s8 r4,q0,q3\n\t"
            "vmladava.s8 r6,q0,q4\n\tvaddva.s8 r8,q0\n\tletp lr,2b\n\t"
            "ldrd r1,r3,[r9]\n\tldrd r5,r10,[r9,#8]\n\tsub r0,r0,r2\n\tsub r2,r2,r4\n\tsub r4,r4,r6\n\t"
            "sub r3,r3,r8,lsl #1\n\tsub r5,r5,r8,lsl #1\n\tsub r10,r10,r8,lsl #1\n\t"
            "add r0,r1,r0,asr #6\n\tadd r2,r3,r2,asr #4\n\tadd r4,r5,r4,asr #2\n\tadd r6,r10,r6\n\t"
            "vmov q5[2],q5[0],r0,r2\n\tvmov q5[3],q5[1],r4,r6\n\t" TARN_INT_MVE_CODES_OF_ONE
            : : "i"(tarn_int_mve_near));
}

#else

/* Sums of four outputs of `count` patches, whose constants begin in the order 0, 2, 1, 3. `higher`: weights are 2
 * higher, but the first output's. */
static void int_mve2_sums(tarn_int_mve2_state *s, const int8_t *w, const int32_t *q, int32_t count, int32_t higher)
{
    int32_t patch;
    for (patch = 0; patch < count; ++patch) {
        const int8_t *x = s->x[patch];
        int32_t o;
        for (o = 0; o < 4; ++o) {
            const int32_t place = (o % 2 * 2) + (o / 2);
            const uint32_t flip = ((higher == 0) || (o == 0)) ? 2u : 0u; /* to codes 2 higher */
            int32_t sum = q[place] + ((s->w_zero != NULL) ? (s->w_zero[o] * s->x_sums[patch]) : 0);
            int32_t k;
            for (k = 0; k < s->length; ++k) {
                sum += ((int32_t)((((uint32_t)w[k] >> (6 - (2 * place))) & 3u) ^ flip) - 2) * x[k];
            }
            s->sums[(4 * patch) + o] = sum;
        }
    }
    tarn_int_mve_close(s, q, count);
}

TARN_API void tarn_int_mve2_block(tarn_int_mve2_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    do {
        int_mve2_sums(s, w_at, q_at, 3, 0);
        w_at += s->quad;
        q_at += 12;
    } while (s->y != s->y_end);
}

TARN_API void tarn_int_mve2_dense(tarn_int_mve2_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    do {
        int_mve2_sums(s, w_at, q_at, 1, 1);
        w_at += s->quad;
        q_at += 12;
    } while (s->y != s->y_end);
}

#endif

TARN_API void tarn_int_mve2_begin(tarn_int_mve2_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                  int32_t length, int32_t outputs)
{
    tarn_int_mve_begin(s, p, exceptions, length, outputs);
    s->quad /= 4;
}

TARN_API void tarn_int_mve2_outputs(tarn_int_mve2_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                   const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count)
{
    tarn_int_mve_outputs_by(s, blocks, w, q, w_zero, y, pitch, count, tarn_int_mve2_block, tarn_int_mve2_dense);
}
