/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve_columns.h"

#if TARN_INT_MVE_ASM

/* q0: weights, q1: the same one column later, q4: where the next columns stand but for 256 bytes, q5: where four pixels of y stand,
 * q6: m, q7: the mask, r1: the least t within it, r3: begin, r8: c, r7: pre less one, as products are doubled, r5: 24 less
 * post, for codes in the first bytes, which saturates, r9: y, r10: four pixels. */
#define TARN_INT_MVE_COLUMNS_1                                                                            \
    "vldrw.u32 q2,[q4,#256]!\n\tvmladav.s8 r0,q0,q2\n\tvldrw.u32 q3,[q4,#128]\n\tvmladav.s8 r2,q1,q2\n\t" \
    "vmladav.s8 r4,q0,q3\n\tvmladav.s8 r6,q1,q3\n\t"
#define TARN_INT_MVE_COLUMNS_2                                                                            \
    "vldrw.u32 q2,[q4,#256]!\n\tvldrw.u32 q3,[q4,#128]\n\tvmladav.s8 r0,q0,q2\n\t"                        \
    "vldrw.u32 q2,[q4,#256]!\n\tvmladav.s8 r2,q0,q3\n\tvldrw.u32 q3,[q4,#128]\n\t"                        \
    "vmladav.s8 r4,q0,q2\n\tvmladav.s8 r6,q0,q3\n\t"
#define TARN_INT_MVE_CODES                                                                                \
    "vmov q2[2],q2[0],r0,r4\n\tvmov q2[3],q2[1],r2,r6\n\tvadd.i32 q2,q2,r3\n\tvshl.s32 q2,r7\n\t"         \
    "vqdmlash.s32 q2,q6,r8\n\tvand q3,q2,q7\n\tvqshl.s32 q2,r5\n\tvminv.u32 r1,q3\n\tvshr.s32 q2,q2,#24\n\t"
/* The stack: back, y, groups, down, the end of q, the state. */
#define TARN_INT_MVE_LINE(columns)                                                                        \
    "push {r3-r11,lr}\n\tvpush {d8-d15}\n\tsub sp,#24\n\tstr r0,[sp,#20]\n\t"                             \
    "ldm r0!,{r1-r5}\n\tstm sp,{r1-r5}\n\tmov r9,r1\n\tldm r0,{r1-r6,r8}\n\t"                             \
    "subs r7,r3,#1\n\tvdup.32 q7,r4\n\tmov r12,r5\n\tmov r11,r6\n\tvctp.32 r1\n\tlsl r10,r2,#2\n\t"           \
    "sub r8,r9\n\tsub r8,#256\n\tmovs r0,#0\n\tvidup.u32 q5,r0,#1\n\tmovs r1,#64\n\t"                     \
    "vmul.i32 q4,q5,r1\n\tvadd.i32 q4,q4,r8\n\tvmul.i32 q5,q5,r2\n"                                       \
    "1:\n\tvldrb.8 q1,[r12],#16\n\tvldrb.8 q0,[r12,#-12]\n\tldm r11!,{r3,r5,r8}\n\tvdup.32 q6,r5\n\t"     \
    "ldrd r0,r9,[sp]\n\tvadd.i32 q4,q4,r0\n\tadd r0,r9,#1\n\tstr r0,[sp,#4]\n\tldrd lr,r5,[sp,#8]\n\t"      \
    "mov r1,#-1\n\twls lr,lr,3f\n"                                                                        \
    "2:\n\t" columns TARN_INT_MVE_CODES "vstrb.32 q2,[r9,q5]\n\tadd r9,r10\n\tle lr,2b\n"                 \
    "3:\n\t" columns TARN_INT_MVE_CODES "vpst\n\tvstrbt.32 q2,[r9,q5]\n\tcbz r1,5f\n"                     \
    "4:\n\tldr r0,[sp,#16]\n\tcmp r11,r0\n\tbne.w 1b\n\tadd sp,#24\n\tvpop {d8-d15}\n\tpop {r3-r11,pc}\n" \
    "5:\n\tldr r0,[sp,#20]\n\tsub r1,r11,#12\n\tmov r4,r12\n\tvmrs r6,p0\n\tbl %c0\n\t" \
    "vmsr p0,r6\n\tmov r12,r4\n\tb 4b"

TARN_NAKED static void int_mve_line3_1(const tarn_int_mve_line *s TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_LINE(TARN_INT_MVE_COLUMNS_1) : : "i"(tarn_int_mve_line3_near));
}

TARN_NAKED static void int_mve_line3_2(const tarn_int_mve_line *s TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_LINE(TARN_INT_MVE_COLUMNS_2) : : "i"(tarn_int_mve_line3_near));
}

TARN_API void tarn_int_mve_line3(const tarn_int_mve_line *s)
{
    if (s->stride == 1) {
        int_mve_line3_1(s);
    } else {
        int_mve_line3_2(s);
    }
}

/* A channel's two products: its weights at r12 + `w`, its columns at q4 and q6 + `x`. */
#define TARN_INT_MVE_TWO(w, x, a, b)                                                                      \
    "vldrb.8 q0,[r12,#" w "\n\tvldrw.u32 q1,[q4,#" x "\n\tvmladav.s8 " a ",q0,q1\n\t"                    \
    "vldrw.u32 q1,[q6,#" x "\n\tvmladav.s8 " b ",q0,q1\n\t"
/* From four sums to the form's values, m in q0 and c in q1; the least of them within the mask; and to codes. */
#define TARN_INT_MVE_FOUR_LINES(q) "vshl.s32 " q ",r7\n\tvmulh.s32 " q "," q ",q0\n\tvadd.i32 " q "," q ",q1\n\t"
#define TARN_INT_MVE_FOUR_LOOK(q) "vand q0," q ",q7\n\tvminv.u32 r1,q0\n\t"
#define TARN_INT_MVE_FOUR_CODES(q, y)                                                                     \
    "vqshl.s32 " q ",r5\n\tvshr.s32 " q "," q ",#24\n\tvstrb.32 " q ",[" y "],#4\n\t"

/* Four channels of two pixels at a time. r12: weights but for 64 bytes, q4, q6: where the pixels' columns stand but for 16, q5: constants
 * but for 48, r4, r6: outputs, r9 and r11: bytes from their ends to the next turn's, r3: turns. On the stack: q5 at first, the state, the
 * pixel, turns, fours. */
TARN_NAKED TARN_API void tarn_int_mve_pairs3(const tarn_int_mve_line *s TARN_UNUSED, int32_t pixel TARN_UNUSED, int32_t turns TARN_UNUSED,
                                             int32_t fours TARN_UNUSED)
{
    __asm__("push {r0-r11,lr}\n\tsub sp,#20\n\tvpush {d8-d15}\n\tldrd r6,r8,[r0,#44]\n\tlsls r7,r8,#6\n\tmla r6,r7,r1,r6\n\tsubs r6,#16\n\t"
            "mov r8,#0\n\tvidup.u32 q5,r8,#1\n\tmovs r5,#64\n\tvmul.i32 q4,q5,r5\n\tvadd.i32 q4,q4,r6\n\t"
            "movs r5,#12\n\tvmul.i32 q5,q5,r5\n\tldr r5,[r0,#40]\n\tsubs r5,#48\n\tvadd.i32 q5,q5,r5\n\tvstrw.32 q5,[sp,#64]\n\t"
            "ldr r4,[r0,#4]\n\tldr r11,[r0,#24]\n\tmla r4,r1,r11,r4\n\tldr r5,[r0,#52]\n\tcmp r5,#1\n\titt eq\n\tmoveq r7,#0\n\tmoveq r11,#0\n\t"
            "vadd.i32 q6,q4,r7\n\tadd r6,r4,r11\n\tlsl r9,r7,#1\n\tsub r9,r9,r3,lsl #4\n\tlsl r11,r11,#1\n\tsub r11,r11,r3,lsl #2\n\t"
            "mov r3,r2\n\tldr r5,[r0,#12]\n\tldrd r7,r2,[r0,#28]\n\tvdup.32 q7,r2\n\tmov r1,#-1\n"
            "1:\n\tvldrw.32 q5,[sp,#64]\n\tldr r12,[sp,#84]\n\tldr lr,[sp,#96]\n\tldr r12,[r12,#36]\n\tsub r12,#60\n\tdls lr,lr\n"
            "2:\n\t" TARN_INT_MVE_TWO("64]!", "16]!", "r0", "r2") TARN_INT_MVE_TWO("32]", "8]", "r8", "r10")
            "vmov q2[2],q2[0],r0,r8\n\tvmov q3[2],q3[0],r2,r10\n\t" TARN_INT_MVE_TWO("16]", "4]", "r0", "r2") TARN_INT_MVE_TWO("48]", "12]", "r8", "r10")
            "vmov q2[3],q2[1],r0,r8\n\tvmov q3[3],q3[1],r2,r10\n\tvldrw.u32 q0,[q5,#48]!\n\tvadd.i32 q2,q2,q0\n\tvadd.i32 q3,q3,q0\n\t"
            "vldrw.u32 q0,[q5,#4]\n\tvldrw.u32 q1,[q5,#8]\n\t" TARN_INT_MVE_FOUR_LINES("q2") TARN_INT_MVE_FOUR_LINES("q3")
            TARN_INT_MVE_FOUR_LOOK("q2") TARN_INT_MVE_FOUR_LOOK("q3") TARN_INT_MVE_FOUR_CODES("q2", "r4") TARN_INT_MVE_FOUR_CODES("q3", "r6")
            "cbz r1,4f\n"
            "3:\n\tle lr,2b\n\tvadd.i32 q4,q4,r9\n\tvadd.i32 q6,q6,r9\n\tadd r4,r11\n\tadd r6,r11\n\tsubs r3,#1\n\tbne 1b\n\t"
            "vpop {d8-d15}\n\tadd sp,#36\n\tpop {r4-r11,pc}\n"
            "4:\n\tldr r0,[sp,#84]\n\tldr r1,[sp,#96]\n\tsub r1,r1,lr\n\tldrd r2,r8,[sp,#88]\n\tsub r8,r8,r3\n\tadd r2,r2,r8,lsl #1\n\t"
            "push {r2,r3,r12,lr}\n\tbl %c0\n\tpop {r2,r3,r12,lr}\n\tmov r1,#-1\n\tb 3b"
            : : "i"(tarn_int_mve_pair3_near));
}

/* The fourth byte of a column is whatever q3 holds: its weights are zero. */
#define TARN_INT_MVE_COLUMNS(load)                                                                        \
    "push {r4-r8,lr}\n\tldr r4,[sp,#24]\n\tvctp.8 r4\n\tldm r1,{r1,r5,r6}\n\tldm r2,{r2,r7,r8}\n\t"       \
    "wls lr,r3,2f\n"                                                                                      \
    "1:\n\t" load " q0,[r1]\n\t" load " q1,[r5]\n\t" load " q2,[r6]\n\tadd r1,r2\n\tadd r5,r7\n\tadd r6,r8\n\t" \
    "vst40.8 {q0,q1,q2,q3},[r0]\n\tvst41.8 {q0,q1,q2,q3},[r0]\n\tvst42.8 {q0,q1,q2,q3},[r0]\n\t"          \
    "vst43.8 {q0,q1,q2,q3},[r0]!\n\tle lr,1b\n"                                                           \
    "2:\n\tpop {r4-r8,pc}"

TARN_NAKED static int8_t *int_mve_columns_all(int8_t *d TARN_UNUSED, const int8_t *const *from TARN_UNUSED,
                                              const int32_t *step TARN_UNUSED, int32_t count TARN_UNUSED,
                                              int32_t channels TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_COLUMNS("vldrb.8"));
}

TARN_NAKED static int8_t *int_mve_columns_few(int8_t *d TARN_UNUSED, const int8_t *const *from TARN_UNUSED,
                                              const int32_t *step TARN_UNUSED, int32_t count TARN_UNUSED,
                                              int32_t channels TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_COLUMNS("vpst\n\tvldrbt.8"));
}

TARN_API int8_t *tarn_int_mve_columns(int8_t *d, const int8_t *const *from, const int32_t *step, int32_t count, int32_t channels)
{
    return (channels < 16) ? int_mve_columns_few(d, from, step, count, channels) : int_mve_columns_all(d, from, step, count, channels);
}

#else

TARN_API void tarn_int_mve_pairs3(const tarn_int_mve_line *s, int32_t pixel, int32_t turns, int32_t fours)
{
    int32_t i;
    for (i = 0; i < (fours * turns); ++i) {
        tarn_int_mve_pair3_near(s, i % fours, pixel + (2 * (i / fours)));
    }
}

TARN_API void tarn_int_mve_line3(const tarn_int_mve_line *s)
{
    const int32_t *q = s->q;
    for (; q != s->q_end; q += 3) {
        tarn_int_mve_line3_near(s, q);
    }
}

TARN_API int8_t *tarn_int_mve_columns(int8_t *d, const int8_t *const *from, const int32_t *step, int32_t count, int32_t channels)
{
    int8_t *d_at = d;
    int32_t column;
    for (column = 0; column < count; ++column) {
        int32_t row;
        for (row = 0; row < 3; ++row) {
            const int8_t *x = from[row] + ((ptrdiff_t)column * step[row]);
            int32_t i;
            for (i = 0; (i < channels) && (i < 16); ++i) {
                d_at[(4 * i) + row] = x[i];
            }
        }
        d_at += 64;
    }
    return d_at;
}

#endif

/* Writes the pixels [first, end) of a channel. */
static void int_mve_near3(const tarn_int_mve_line *s, const int32_t *q, int32_t first, int32_t end)
{
    const int32_t i = (int32_t)(q - s->q) / 3;
    const int8_t *w = s->w + ((16 * i) + 4);
    int8_t *y = s->y + ((ptrdiff_t)first * s->pitch) + i;
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int8_t *x = s->columns + ((64 * pixel * s->stride) + (4 * i));
        int32_t sum = q[0];
        int32_t k;
        for (k = 0; k < 3; ++k) {
            sum += (w[(ptrdiff_t)4 * k] * x[(ptrdiff_t)64 * k]) + (w[(4 * k) + 1] * x[(64 * k) + 1]) + (w[(4 * k) + 2] * x[(64 * k) + 2]);
        }
        *y = (int8_t)tarn_requant(s->p, s->exceptions, s->channel + i, sum, q[1], q[2]);
        y += s->pitch;
    }
}

TARN_API void tarn_int_mve_line3_near(const tarn_int_mve_line *s, const int32_t *q)
{
    int_mve_near3(s, q, 0, s->pixels);
}

TARN_API void tarn_int_mve_pair3_near(const tarn_int_mve_line *s, int32_t four, int32_t pixel)
{
    const int32_t end = ((pixel + 2) < s->pixels) ? (pixel + 2) : s->pixels;
    int32_t i;
    for (i = 0; i < 4; ++i) {
        int_mve_near3(s, s->q + ((ptrdiff_t)3 * ((4 * four) + i)), pixel, end);
    }
}
