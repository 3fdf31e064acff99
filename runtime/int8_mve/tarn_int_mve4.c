/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve4.h"
#include "tarn_int_mve_outputs.h"
#include "tarn_int_mve_shell.h"

#if TARN_INT_MVE_ASM

/* Two outputs of three patches, lanes `low` and `high` of q5 to q7. Each step is 16 products; the last is partly masked. */
#define TARN_INT_MVE4_PAIR(low, high, begin)                                                               \
    "ldm r12,{r1,r3,r5,lr}\n\tldrd r0,r6,[r9,#" begin "]\n\t"                                             \
    "mov r2,r0\n\tmov r4,r0\n\tmov r8,r6\n\tmov r10,r6\n\tdlstp.8 lr,lr\n"                               \
    "2:\n\tvldrb.8 q0,[r11],#16\n\tvldrb.8 q1,[r1],#16\n\tvshl.i8 q4,q0,#4\n\tvldrb.8 q2,[r3],#16\n\t"        \
    "vshr.s8 q0,q0,#4\n\tvldrb.8 q3,[r5],#16\n\tvmladava.s8 r0,q0,q1\n\tvshr.s8 q4,q4,#4\n\tvmladava.s8 r2,q0,q2\n\t" \
    "vmladava.s8 r4,q0,q3\n\tvmladava.s8 r6,q4,q1\n\tvmladava.s8 r8,q4,q2\n\tvmladava.s8 r10,q4,q3\n\t"   \
    "letp lr,2b\n\t"                                                                                      \
    "vmov q5[" high "],q5[" low "],r0,r6\n\tvmov q6[" high "],q6[" low "],r2,r8\n\t"                      \
    "vmov q7[" high "],q7[" low "],r4,r10\n\t"
TARN_NAKED TARN_API void tarn_int_mve4_block(tarn_int_mve4_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE4_PAIR("0", "2", "0") TARN_INT_MVE4_PAIR("1", "3", "8") TARN_INT_MVE_CODES_OF_THREE
            : : "i"(tarn_int_mve_near));
}

TARN_NAKED TARN_API void tarn_int_mve4_dense(tarn_int_mve4_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            /* The low bits are left where they count 16 times as much. */
            "1:\n\tldr r1,[r12]\n\tldr lr,[r12,#12]\n\tldrd r0,r4,[r9]\n\tmovs r2,#0\n\tmovs r6,#0\n\tdlstp.8 lr,lr\n"
            "2:\n\tvldrb.8 q1,[r11],#32\n\tvldrb.8 q0,[r1],#16\n\tvshl.i8 q2,q1,#4\n\tvldrb.8 q3,[r11,#-16]\n\t"
            "vmladava.s8 r2,q0,q2\n\tvshr.s8 q1,q1,#4\n\tvmladava.s8 r0,q0,q1\n\tvshl.i8 q4,q3,#4\n\t"
            "vmladava.s8 r6,q0,q4\n\tvshr.s8 q3,q3,#4\n\tvmladava.s8 r4,q0,q3\n\tletp lr,2b\n\t"
            "ldrd r3,r5,[r9,#8]\n\tadd r2,r3,r2,asr #4\n\tadd r6,r5,r6,asr #4\n\t"
            "vmov q5[2],q5[0],r0,r4\n\tvmov q5[3],q5[1],r2,r6\n\t" TARN_INT_MVE_CODES_OF_ONE
            : : "i"(tarn_int_mve_near));
}

#else

/* Sums of four outputs of `count` patches, whose constants begin in the order 0, 2, 1, 3. Of output o the byte for element 0 is at
 * (o % 2) * odd + (o / 2) * half, and after sixteen elements `step` bytes on; outputs of `high` have its high bits. */
static void int_mve4_sums(tarn_int_mve4_state *s, const int8_t *w, const int32_t *q, int32_t count, int32_t odd, int32_t half,
                          int32_t step, int32_t high)
{
    int32_t patch;
    for (patch = 0; patch < count; ++patch) {
        const int8_t *x = s->x[patch];
        int32_t o;
        for (o = 0; o < 4; ++o) {
            const int8_t *row = w + ((o % 2 * odd) + (o / 2 * half));
            int32_t sum = q[(o % 2 * 2) + (o / 2)] + ((s->w_zero != NULL) ? (s->w_zero[o] * s->x_sums[patch]) : 0);
            int32_t k;
            for (k = 0; k < s->length; ++k) {
                const int32_t byte = row[(k / 16 * step) + (k % 16)];
                const int32_t low = (int32_t)(((uint32_t)byte & 15u) ^ 8u) - 8;
                sum += ((((uint32_t)high >> o) & 1u) != 0u ? ((byte - (int32_t)((uint32_t)byte & 15u)) / 16) : low) * x[k];
            }
            s->sums[(4 * patch) + o] = sum;
        }
    }
    tarn_int_mve_close(s, q, count);
}

TARN_API void tarn_int_mve4_block(tarn_int_mve4_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t padded = (s->length + 15) / 16 * 16;
    do {
        int_mve4_sums(s, w_at, q_at, 3, padded, 0, 16, 3);
        w_at += (ptrdiff_t)2 * padded;
        q_at += 12;
    } while (s->y != s->y_end);
}

TARN_API void tarn_int_mve4_dense(tarn_int_mve4_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t padded = (s->length + 15) / 16 * 16;
    do {
        int_mve4_sums(s, w_at, q_at, 1, 0, 16, 32, 5);
        w_at += (ptrdiff_t)2 * padded;
        q_at += 12;
    } while (s->y != s->y_end);
}

#endif

TARN_API void tarn_int_mve4_begin(tarn_int_mve4_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                  int32_t length, int32_t outputs)
{
    tarn_int_mve_begin(s, p, exceptions, length, outputs);
    s->quad /= 2;
}

TARN_API void tarn_int_mve4_outputs(tarn_int_mve4_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                   const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count)
{
    tarn_int_mve_outputs_by(s, blocks, w, q, w_zero, y, pitch, count, tarn_int_mve4_block, tarn_int_mve4_dense);
}
