/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve_channels.h"

#if TARN_INT_MVE_ASM

/* r12: the state, r11: weights, r9: constants, r7: channel 0 of y, r10: the channel, r8: the last, r5: pre, r6: 24 less post, for codes in
 * the first bytes, which saturates. `load` reads inputs: all sixteen, or those that are there. */
#define TARN_INT_MVE_TAP(load)                                                                            \
    "ldr r3,[r0],#4\n\tadd r3,r10\n\t" load " q2,[r3]\n\tvldrb.8 q3,[r11],#16\n\t"                        \
    "vmullb.s8 q0,q2,q3\n\tvmullt.s8 q1,q2,q3\n\t"
/* Two of them. */
#define TARN_INT_MVE_TAPS(load)                                                                           \
    "ldrd r3,r4,[r0],#8\n\tadd r3,r10\n\tadd r4,r10\n\t" load " q2,[r3]\n\tvldrb.8 q3,[r11],#16\n\t"      \
    "vmullb.s8 q0,q2,q3\n\tvmullt.s8 q1,q2,q3\n\t" load " q2,[r4]\n\tvldrb.8 q3,[r11]\n\t"                \
    "vmullb.s8 q3,q2,q3\n\tvadd.i16 q0,q0,q3\n\tvldrb.8 q3,[r11],#16\n\tvmullt.s8 q3,q2,q3\n\tvadd.i16 q1,q1,q3\n\t"
/* From 16-bit sums to 32-bit ones. */
#define TARN_INT_MVE_WIDEN                                                                                \
    "vmovlb.s16 q2,q0\n\tvadd.i32 q4,q4,q2\n\tvmovlt.s16 q0,q0\n\tvadd.i32 q5,q5,q0\n\t"                  \
    "vmovlb.s16 q2,q1\n\tvadd.i32 q6,q6,q2\n\tvmovlt.s16 q1,q1\n\tvadd.i32 q7,q7,q1\n\t"
#define TARN_INT_MVE_FORM_AT(q, m, c)                                                                     \
    "vldrw.32 q0,[r9,#" m "]\n\tvshl.s32 " q ",r5\n\tvmulh.s32 " q "," q ",q0\n\t"                        \
    "vldrw.32 q0,[r9,#" c "]\n\tvadd.i32 " q "," q ",q0\n\t"
#define TARN_INT_MVE_LOOK(q) "vand q0," q ",q3\n\tvminv.u32 r4,q0\n\t"
#define TARN_INT_MVE_CHANNELS(load, store)                                                                \
    "push {r3-r11,lr}\n\tvpush {d8-d15}\n\tmov r12,r0\n\tmov r11,r1\n\tmov r9,r2\n\tldr r7,[r0,#12]\n\t"  \
    "ldr r8,[r0,#16]\n\tldrd r5,r6,[r0,#20]\n\tmovs r10,#0\n\tldr r3,[r0,#36]\n\tvctp.8 r3\n"             \
    "1:\n\tldr r0,[r12]\n\t"                                                                              \
    "vldrw.32 q4,[r9]\n\tvldrw.32 q5,[r9,#16]\n\tvldrw.32 q6,[r9,#32]\n\tvldrw.32 q7,[r9,#48]\n\t"        \
    "ldrd lr,r1,[r12,#4]\n\tcmp r1,#0\n\tbeq 2f\n\t" TARN_INT_MVE_TAP(load) TARN_INT_MVE_WIDEN "\n"       \
    "2:\n\twls lr,lr,4f\n"                                                                                \
    "3:\n\t" TARN_INT_MVE_TAPS(load) TARN_INT_MVE_WIDEN "le lr,3b\n"                                     \
    "4:\n\tldr r4,[r12,#28]\n\tcmp r4,#1\n\tbeq 8f\n\t"                                                  \
    TARN_INT_MVE_FORM_AT("q4", "64", "128") TARN_INT_MVE_FORM_AT("q5", "80", "144")                       \
    TARN_INT_MVE_FORM_AT("q6", "96", "160") TARN_INT_MVE_FORM_AT("q7", "112", "176") "cbnz r4,5f\n"       \
    "6:\n\tvqshl.s32 q7,r6\n\tvqshl.s32 q5,r6\n\tvsri.32 q7,q5,#8\n\tvqshl.s32 q6,r6\n\t"                   \
    "vsri.32 q7,q6,#16\n\tvqshl.s32 q4,r6\n\tvsri.32 q7,q4,#24\n\tadd r3,r7,r10\n\t" store " q7,[r3]\n"    \
    "7:\n\tadds r9,#192\n\tcmp r10,r8\n\tbge 9f\n\t"                                                     \
    "adds r10,#16\n\tcmp r10,r8\n\tble.w 1b\n\tmov r10,r8\n\tb.w 1b\n"                                    \
    "9:\n\tvpop {d8-d15}\n\tpop {r3-r11,pc}\n"                                                            \
    "5:\n\tvdup.32 q3,r4\n\t" TARN_INT_MVE_LOOK("q4") TARN_INT_MVE_LOOK("q5") TARN_INT_MVE_LOOK("q6")     \
    TARN_INT_MVE_LOOK("q7") "cmp r4,#0\n\tbne 6b\n\t" /* a value in a zone: once more, with its sums */   \
    "ldr r1,[r12,#32]\n\tsub r11,r1\n\tmovs r1,#1\n\tstr r1,[r12,#28]\n\tb.w 1b\n"                        \
    "8:\n\tadd r3,r12,#40\n\tvstrw.32 q4,[r3]\n\tvstrw.32 q5,[r3,#16]\n\tvstrw.32 q6,[r3,#32]\n\t"        \
    "vstrw.32 q7,[r3,#48]\n\tmov r6,r12\n\tmov r0,r12\n\tmov r1,r9\n\tmov r2,r10\n\t"                     \
    "vmrs r4,p0\n\tbl %c0\n\tvmsr p0,r4\n\tmov r12,r6\n\tldr r6,[r12,#24]\n\tb.w 7b"

#if !TARN_LESS_CODE

TARN_NAKED static void int_mve_channels_all(tarn_int_mve_channels_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_CHANNELS("vldrb.8", "vstrb.8") : : "i"(tarn_int_mve_channels_near));
}

#endif

/* Fewer than sixteen; more of them only take longer. */
TARN_NAKED static void int_mve_channels_few(tarn_int_mve_channels_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_CHANNELS("vpst\n\tvldrbt.8", "vpst\n\tvstrbt.8") : : "i"(tarn_int_mve_channels_near));
}

TARN_API void tarn_int_mve_channels(tarn_int_mve_channels_state *s, const int8_t *w, const int32_t *q)
{
#if TARN_LESS_CODE
    int_mve_channels_few(s, w, q);
#else
    if (s->channels < 16) {
        int_mve_channels_few(s, w, q);
    } else {
        int_mve_channels_all(s, w, q);
    }
#endif
}

#else

TARN_API void tarn_int_mve_channels(tarn_int_mve_channels_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t n = (2 * s->pairs) + s->odd;
    int32_t first = 0;
    for (;;) {
        int32_t i;
        for (i = 0; (i < 16) && (i < s->channels); ++i) {
            const int32_t place = (((i % 2 * 2) + (i / 2 % 2)) * 4) + (i / 4);
            int32_t sum = q_at[place];
            int32_t t;
            for (t = 0; t < n; ++t) {
                sum += w_at[(16 * t) + i] * s->taps[t][first + i];
            }
            s->sums[place] = sum;
        }
        tarn_int_mve_channels_near(s, q_at, first);
        if (first >= s->last) {
            return;
        }
        w_at += s->bytes;
        q_at += 48;
        first = ((first + 16) < s->last) ? (first + 16) : s->last;
    }
}

#endif

TARN_API void tarn_int_mve_channels_near(tarn_int_mve_channels_state *s, const int32_t *q, int32_t channel)
{
    int32_t i;
    s->closer = TARN_INT_CLOSER(s->p->mask);
    for (i = 0; (i < 16) && ((channel + i) < s->channels); ++i) {
        const int32_t place = (((i % 2 * 2) + (i / 2 % 2)) * 4) + (i / 4);
        s->y[channel + i] = (int8_t)tarn_requant(s->p, s->exceptions, channel + i, s->sums[place], q[16 + place], q[32 + place]);
    }
}
