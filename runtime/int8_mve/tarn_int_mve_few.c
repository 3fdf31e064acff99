/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve_few.h"
#include "tarn_int_mve_outputs.h"
#include "tarn_int_mve_shell.h"

#if TARN_INT_MVE_ASM && !TARN_LESS_CODE

/* Two outputs, lanes `low` and `high`, as TARN_INT_MVE_PAIR has them, of two patches and of one. */
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
            "1:\n\t" TARN_INT_MVE_PAIR_OF_TWO("0", "2", "0") TARN_INT_MVE_PAIR_OF_TWO("1", "3", "8") TARN_INT_MVE_CODES_OF_TWO
            : : "i"(tarn_int_mve_near));
}

TARN_NAKED static void int_mve_one(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                   const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE_PAIR_OF_ONE("0", "2", "0") TARN_INT_MVE_PAIR_OF_ONE("1", "3", "8") TARN_INT_MVE_CODES_OF_ONE
            : : "i"(tarn_int_mve_near));
}

/* The products of two rows of weights, `first` and `second` bytes from r11, with three patches in q4 to q6: lanes `low` and `high` of q1
 * to q3. */
#define TARN_INT_MVE_SHORT_PAIR(low, high, first, second)                                                 \
    "vldrb.8 q0,[r11,#" first "]\n\tvldrb.8 q7,[r11,#" second "]\n\tvmladav.s8 r0,q0,q4\n\tvmladav.s8 r6,q7,q4\n\t" \
    "vmladav.s8 r2,q0,q5\n\tvmladav.s8 r8,q7,q5\n\tvmladav.s8 r4,q0,q6\n\tvmladav.s8 r10,q7,q6\n\t"    \
    "vmov q1[" high "],q1[" low "],r0,r6\n\tvmov q2[" high "],q2[" low "],r2,r8\n\t"                  \
    "vmov q3[" high "],q3[" low "],r4,r10\n\t"
#define TARN_INT_MVE_SHORT_FORM(q) "vshl.s32 " q ",r0\n\tvmulh.s32 " q "," q ",q0\n\tvadd.i32 " q "," q ",q7\n\t"
#define TARN_INT_MVE_SHORT_FORMS \
    TARN_INT_MVE_SHORT_FORM("q1") TARN_INT_MVE_SHORT_FORM("q2") TARN_INT_MVE_SHORT_FORM("q3")

/* r7, r5, r3: outputs of the three; lr: how many are left of each. Weights are zero beyond the length: masked loads of patches are all
 * that it asks for. The patches are where a call leaves them. The stack: weights, constants; the vectors; the steps. */
TARN_NAKED TARN_API void tarn_int_mve_short(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED, const int32_t *q TARN_UNUSED,
                                            tarn_int_mve_steps *steps TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER "push {r1,r2}\n"
            "1:\n\tldr r0,[r12,#12]\n\tvctp.8 r0\n\tldm r12,{r1,r3,r5}\n\tldr r2,[sp,#72]\n\tldr r0,[r2]\n\t"
            "vpsttt\n\tvldrbt.8 q4,[r1]\n\tvldrbt.8 q5,[r3]\n\tvldrbt.8 q6,[r5]\n\t"
            "add r1,r0\n\tadd r3,r0\n\tadd r5,r0\n\tstm r12,{r1,r3,r5}\n\t"
            "ldrd r11,r9,[sp]\n\tldr r7,[r12,#16]\n\tldrd r5,r3,[r12,#24]\n\tadd r5,r7\n\tadd r3,r7\n\tstr r7,[r12,#120]\n\t"
            "ldr lr,[r12,#132]\n"
            "2:\n\t" TARN_INT_MVE_SHORT_PAIR("0", "2", "0", "16") TARN_INT_MVE_SHORT_PAIR("1", "3", "32", "48")
            "adds r11,#64\n\tldrd r0,r6,[r9]\n\tldrd r2,r8,[r9,#8]\n\tvmov q0[2],q0[0],r0,r6\n\tvmov q0[3],q0[1],r2,r8\n\t"
            "vadd.i32 q1,q1,q0\n\tvadd.i32 q2,q2,q0\n\tvadd.i32 q3,q3,q0\n\t"
            "vldrw.32 q0,[r9,#16]\n\tvldrw.32 q7,[r9,#32]\n\tldrd r0,r2,[r12,#32]\n\tldr r4,[r12,#40]\n\tcbnz r4,5f\n\t"
            TARN_INT_MVE_SHORT_FORMS
            "3:\n\t" TARN_INT_MVE_SHIFT("q1") TARN_INT_MVE_SHIFT("q2") TARN_INT_MVE_SHIFT("q3")
            "vctp.32 lr\n\tvpsttt\n\tvstrbt.32 q1,[r7],#4\n\tvstrbt.32 q2,[r5],#4\n\tvstrbt.32 q3,[r3],#4\n"
            "4:\n\tadds r9,#48\n\tsubs lr,#4\n\tbgt.w 2b\n\tb 6f\n"
            "5:\n\tadd r1,r12,#64\n\tvstrw.32 q1,[r1]\n\tvstrw.32 q2,[r1,#16]\n\tvstrw.32 q3,[r1,#32]\n\t"
            TARN_INT_MVE_SHORT_FORMS
            "vdup.32 q0,r4\n\tvand q7,q1,q0\n\tvminv.u32 r4,q7\n\tvand q7,q2,q0\n\tvminv.u32 r4,q7\n\t"
            "vand q7,q3,q0\n\tvminv.u32 r4,q7\n\tcmp r4,#0\n\tbne.w 3b\n\t"
            "mov r4,r3\n\tmov r6,lr\n\tmov r8,r12\n\tmov r0,r12\n\tmov r1,r7\n\tmov r2,r9\n\tmovs r3,#3\n\tbl %c0\n\t"
            "mov r12,r8\n\tmov lr,r6\n\tadds r3,r4,#4\n\tadds r5,#4\n\tadds r7,#4\n\tb.w 4b\n"
            "6:\n\tldr r1,[sp,#72]\n\tldrd r2,r3,[r1,#4]\n\tldr r0,[r12,#16]\n\tadd r0,r2\n\tstr r0,[r12,#16]\n\t"
            "subs r3,#1\n\tstr r3,[r1,#8]\n\tbne.w 1b\n\tadd sp,#8\n\t" TARN_INT_MVE_LEAVE
            : : "i"(tarn_int_mve_near));
}

TARN_API void tarn_int_mve_few(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
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
    tarn_int_mve_outputs_by(s, 1, w, q, w_zero, y, pitch, count, tarn_int_mve_few, tarn_int_mve_few);
}

#else

TARN_API void tarn_int_mve_few(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
    tarn_int_mve_block(s, w, q);
}

TARN_API void tarn_int_mve_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                 int32_t count)
{
    tarn_int_mve_outputs(s, 1, w, q, w_zero, y, pitch, count);
}

#endif
