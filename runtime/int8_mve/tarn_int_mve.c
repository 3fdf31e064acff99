/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve.h"
#include "tarn_int_mve_outputs.h"
#include "tarn_int_mve_shell.h"

#if TARN_INT_MVE_ASM

/* Two outputs of three patches, lanes `low` and `high` of q5 to q7. Each step is 16 products; the last is partly masked. */
#define TARN_INT_MVE_PAIR(low, high, begin)                                                               \
    "ldm r12,{r1,r3,r5,lr}\n\tldrd r0,r6,[r9,#" begin "]\n\t"                                             \
    "mov r2,r0\n\tmov r4,r0\n\tmov r8,r6\n\tmov r10,r6\n\tdlstp.8 lr,lr\n"                               \
    "2:\n\tvldrb.8 q0,[r11],#32\n\tvldrb.8 q1,[r1],#16\n\tvldrb.8 q2,[r3],#16\n\t"                        \
    "vmladava.s8 r0,q0,q1\n\tvldrb.8 q3,[r5],#16\n\tvmladava.s8 r2,q0,q2\n\tvldrb.8 q4,[r11,#-16]\n\t"    \
    "vmladava.s8 r4,q0,q3\n\tvmladava.s8 r6,q4,q1\n\tvmladava.s8 r8,q4,q2\n\tvmladava.s8 r10,q4,q3\n\t"   \
    "letp lr,2b\n\t"                                                                                      \
    "vmov q5[" high "],q5[" low "],r0,r6\n\tvmov q6[" high "],q6[" low "],r2,r8\n\t"                      \
    "vmov q7[" high "],q7[" low "],r4,r10\n\t"
TARN_NAKED TARN_API void tarn_int_mve_block(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\t" TARN_INT_MVE_PAIR("0", "2", "0") TARN_INT_MVE_PAIR("1", "3", "8") TARN_INT_MVE_CODES_OF_THREE
            : : "i"(tarn_int_mve_near));
}

TARN_NAKED static void int_mve_dense_fours(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                           const int32_t *q TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_ENTER
            "1:\n\tldr r1,[r12]\n\tldr lr,[r12,#12]\n\tldrd r0,r4,[r9]\n\tldrd r2,r6,[r9,#8]\n\tdlstp.8 lr,lr\n"
            "2:\n\tvldrb.8 q0,[r1],#16\n\tvldrb.8 q1,[r11],#64\n\tvldrb.8 q2,[r11,#-48]\n\tvmladava.s8 r0,q0,q1\n\t"
            "vldrb.8 q3,[r11,#-32]\n\tvmladava.s8 r2,q0,q2\n\tvldrb.8 q4,[r11,#-16]\n\tvmladava.s8 r4,q0,q3\n\t"
            "vmladava.s8 r6,q0,q4\n\tletp lr,2b\n\t"
            "vmov q5[2],q5[0],r0,r4\n\tvmov q5[3],q5[1],r2,r6\n\t" TARN_INT_MVE_CODES_OF_ONE
            : : "i"(tarn_int_mve_near));
}

#if !TARN_LESS_CODE

/* Eight products of sixteen codes, those of x at r1, and on. */
#define TARN_INT_MVE_EIGHT(load)                                                                          \
    load "\n\tvldrb.8 q1,[r3],#64\n\tvldrb.8 q2,[r3,#-48]\n\tvmladava.s8 r0,q0,q1\n\t"                    \
    "vldrb.8 q3,[r3,#-32]\n\tvmladava.s8 r2,q0,q2\n\tvldrb.8 q4,[r3,#-16]\n\tvmladava.s8 r4,q0,q3\n\t"   \
    "vldrb.8 q1,[r11],#64\n\tvmladava.s8 r6,q0,q4\n\tvldrb.8 q2,[r11,#-48]\n\tvmladava.s8 r8,q0,q1\n\t"  \
    "vldrb.8 q3,[r11,#-32]\n\tvmladava.s8 r10,q0,q2\n\tvldrb.8 q4,[r11,#-16]\n\tvmladava.s8 r12,q0,q3\n\t" \
    "vmladava.s8 lr,q0,q4\n\t"

/* As many eights of outputs as there are; s->y moves on. Every even register holds a sum, so that the state stands at sp, and loops
 * count in r5: sixteens at sp + 4, codes behind them at sp + 8, where the eights end at sp + 12. Sums are kept where there are zones.
 * A call may leave any predicate (AAPCS, 6.1): it is made anew behind one. */
TARN_NAKED static void int_mve_dense_eights(tarn_int_mve_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED,
                                            const int32_t *q TARN_UNUSED)
{
    __asm__("push {r3-r11,lr}\n\tvpush {d8-d15}\n\tsub sp,#16\n\tmov r3,r1\n\tmov r9,r2\n\tldrd r7,r4,[r0,#16]\n\t"
            "subs r4,r7\n\tbic r4,#7\n\tadd r4,r7\n\tldr r1,[r0,#12]\n\tlsrs r2,r1,#4\n\tand r1,#15\n\t"
            "strd r0,r2,[sp]\n\tstrd r1,r4,[sp,#8]\n\tvctp.8 r1\n"
            "1:\n\tldr r5,[sp]\n\tldr r1,[r5]\n\tldr r11,[r5,#44]\n\tadd r11,r3\n\tldr r5,[sp,#4]\n\t"
            "ldrd r0,r4,[r9]\n\tldrd r2,r6,[r9,#8]\n\tldrd r8,r12,[r9,#48]\n\tldrd r10,lr,[r9,#56]\n\tcbz r5,3f\n"
            "2:\n\t" TARN_INT_MVE_EIGHT("vldrb.8 q0,[r1],#16") "subs r5,#1\n\tbne 2b\n"
            "3:\n\tldr r5,[sp,#8]\n\tcbz r5,4f\n\t" TARN_INT_MVE_EIGHT("vpst\n\tvldrbt.8 q0,[r1]") "\n"
            "4:\n\tvmov q5[2],q5[0],r0,r4\n\tvmov q5[3],q5[1],r2,r6\n\tvmov q6[2],q6[0],r8,r12\n\tvmov q6[3],q6[1],r10,lr\n\t"
            "ldr r12,[sp]\n\tldr r4,[r12,#40]\n\tldrd r0,r2,[r12,#32]\n\tcbz r4,5f\n\t"
            "vstrw.32 q5,[r12,#64]\n\tvstrw.32 q6,[r12,#80]\n"
            "5:\n\tvldrw.32 q0,[r9,#16]\n\tvldrw.32 q1,[r9,#32]\n\t" TARN_INT_MVE_FORM("q5")
            "vldrw.32 q0,[r9,#64]\n\tvldrw.32 q1,[r9,#80]\n\t" TARN_INT_MVE_FORM("q6") "cbnz r4,7f\n"
            "6:\n\t" TARN_INT_MVE_SHIFT("q5") TARN_INT_MVE_SHIFT("q6") "vstrb.32 q5,[r7],#4\n\tvstrb.32 q6,[r7],#4\n"
            "8:\n\tmov r3,r11\n\tadds r9,#96\n\tldr r0,[sp,#12]\n\tcmp r7,r0\n\tbne.w 1b\n\t"
            "str r7,[r12,#16]\n\tadd sp,#16\n\t" TARN_INT_MVE_LEAVE "\n"
            "7:\n\tvdup.32 q0,r4\n\tvand q1,q5,q0\n\tvand q2,q6,q0\n\tvminv.u32 r4,q1\n\tvminv.u32 r4,q2\n\tcmp r4,#0\n\tbne 6b\n\t"
            "mov r0,r12\n\tmov r1,r7\n\tmov r2,r9\n\tmovs r3,#1\n\tbl %c0\n\tldr r0,[sp]\n\tvldrw.32 q0,[r0,#80]\n\t"
            "vstrw.32 q0,[r0,#64]\n\tadds r1,r7,#4\n\tadd r2,r9,#48\n\tmovs r3,#1\n\tbl %c0\n\tadds r7,#8\n\t"
            "ldr r12,[sp]\n\tldr r0,[sp,#8]\n\tvctp.8 r0\n\tb 8b"
            : : "i"(tarn_int_mve_near));
}

TARN_NOINLINE static void int_mve_dense_many(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
    const ptrdiff_t eights = (s->y_end - s->y) / 8;
    int_mve_dense_eights(s, w, q);
    if (s->y != s->y_end) {
        int_mve_dense_fours(s, w + (2 * eights * s->quad), q + (24 * eights));
    }
}

#endif

TARN_API void tarn_int_mve_dense(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
#if !TARN_LESS_CODE
    /* One alone costs more to begin than it saves. With zero points of weights sums are kept four by four. */
    if (((s->y_end - s->y) >= 16) && (s->closer != 1)) {
        int_mve_dense_many(s, w, q);
        return;
    }
#endif
    int_mve_dense_fours(s, w, q);
}

TARN_NAKED TARN_API int32_t tarn_int_mve_sum(const int8_t *x TARN_UNUSED, int32_t n TARN_UNUSED)
{
    __asm__("push {r3,lr}\n\tmovs r2,#0\n\twlstp.8 lr,r1,1f\n"
            "2:\n\tvldrb.8 q0,[r0],#16\n\tvaddva.s8 r2,q0\n\tletp lr,2b\n"
            "1:\n\tmov r0,r2\n\tpop {r3,pc}");
}

TARN_NAKED static void int_mve_narrow(int8_t *y TARN_UNUSED, int32_t n TARN_UNUSED, int32_t lo TARN_UNUSED,
                                      int32_t hi TARN_UNUSED)
{
    __asm__("push {r4,lr}\n\tvdup.8 q1,r2\n\tvdup.8 q2,r3\n\twlstp.8 lr,r1,1f\n"
            "2:\n\tvldrb.8 q0,[r0]\n\tvmax.s8 q0,q0,q1\n\tvmin.s8 q0,q0,q2\n\tvstrb.8 q0,[r0],#16\n\tletp lr,2b\n"
            "1:\n\tpop {r4,pc}");
}

#else

/* Sums of four outputs of `count` patches: of four outputs, o begins at (o % 2) * odd + o / 2 * half and goes on every `step`. */
static void int_mve_sums(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, int32_t count, int32_t odd, int32_t half,
                         int32_t step)
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
                sum += row[(k / 16 * step) + (k % 16)] * x[k];
            }
            s->sums[(4 * patch) + o] = sum;
        }
    }
    tarn_int_mve_close(s, q, count);
}

TARN_API void tarn_int_mve_block(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t padded = (s->length + 15) / 16 * 16;
    do {
        int_mve_sums(s, w_at, q_at, 3, 2 * padded, 16, 32);
        w_at += (ptrdiff_t)4 * padded;
        q_at += 12;
    } while (s->y != s->y_end);
}

TARN_API void tarn_int_mve_dense(tarn_int_mve_state *s, const int8_t *w, const int32_t *q)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t padded = (s->length + 15) / 16 * 16;
    do {
        int_mve_sums(s, w_at, q_at, 1, 16, 32, 64);
        w_at += (ptrdiff_t)4 * padded;
        q_at += 12;
    } while (s->y != s->y_end);
}

TARN_API int32_t tarn_int_mve_sum(const int8_t *x, int32_t n)
{
    const int8_t *x_at = x;
    int32_t n_left = n;
    int32_t sum = 0;
    for (; n_left > 0; --n_left) {
        sum += *x_at++;
    }
    return sum;
}

static void int_mve_narrow(int8_t *y, int32_t n, int32_t lo, int32_t hi)
{
    int8_t *y_at = y;
    int32_t n_left = n;
    for (; n_left > 0; --n_left) {
        const int32_t code = (*y_at < lo) ? lo : *y_at;
        *y_at++ = (int8_t)((code > hi) ? hi : code);
    }
}

#endif

TARN_API void tarn_int_mve_clamp(const tarn_requant_params *p, int8_t *y, int32_t n, int32_t pitch, int32_t count)
{
    int8_t *y_at = y;
    int32_t count_left = count;
    if ((p->lo > -128) || (p->hi < 127)) {
        if (pitch == n) {
            int_mve_narrow(y, n * count, p->lo, p->hi);
            count_left = 0;
        }
        for (; count_left > 0; --count_left) {
            int_mve_narrow(y_at, n, p->lo, p->hi);
            y_at += pitch;
        }
    }
}

TARN_API void tarn_int_mve_near(tarn_int_mve_state *s, int8_t *y, const int32_t *q, int32_t count)
{
    const int32_t step[3] = {0, s->second, s->third};
    const int32_t o = s->first + (int32_t)(y - s->y_first);
    int32_t patch;
    s->closer = (s->w_zero != NULL) ? 1 : TARN_INT_CLOSER(s->mask);
    for (patch = 0; patch < count; ++patch) {
        int32_t lane;
        for (lane = 0; (lane < 4) && ((o + lane) < s->outputs); ++lane) {
            y[step[patch] + lane] = (int8_t)tarn_requant(s->p, s->exceptions, s->channel + o + lane, s->sums[(4 * patch) + lane],
                                                         q[4 + lane], q[8 + lane]);
        }
    }
}

TARN_API void tarn_int_mve_begin(tarn_int_mve_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                 int32_t length, int32_t outputs)
{
    s->length = length;
    s->pre = p->pre;
    s->down = -p->post;
    s->quad = (length + 15) / 16 * 64;
    s->mask = p->mask;
    s->p = p;
    s->exceptions = exceptions;
    s->channel = 0;
    s->outputs = outputs;
}

TARN_API void tarn_int_mve_outputs(tarn_int_mve_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                   const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count)
{
    tarn_int_mve_outputs_by(s, blocks, w, q, w_zero, y, pitch, count, tarn_int_mve_block, tarn_int_mve_dense);
}
