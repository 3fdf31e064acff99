/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_matmul_mve_s8.h"
#include "tarn_int_matmul_mve_few_s8.h"
#include "tarn_int_matmul_mve_state_s8.h"

#define INT_MATMUL_MVE_ROWS 66  /* of a whose sums are kept, a multiple of three */
#define INT_MATMUL_MVE_SHORT 64 /* codes of a column that is gathered once for all of these rows, a multiple of 16 */

#if TARN_INT_MVE_ASM
/* Codes before they are narrowed from sums, as tarn_requant_near_floats() has them: numbers in q, whose lanes are a to d; r4: the
 * scale, s0 or `unit`: the unit, r6: the code of zero. */
#if INT_MATMUL_MVE_FLOATS
#define INT_MATMUL_MVE_EXACT(q, a, b, c, d, unit)                                                         \
    "vcvt.f32.s32 " q "," q "\nvmul.f32 " q "," q ",r4\nvdiv.f32 " a "," a "," unit "\nvdiv.f32 " b "," b "," unit "\n" \
    "vdiv.f32 " c "," c "," unit "\nvdiv.f32 " d "," d "," unit "\nvcvtn.s32.f32 " q "," q "\nvqadd.s32 " q "," q ",r6\n"
#else
#define INT_MATMUL_MVE_EXACT(q, a, b, c, d, unit) ""
#endif

/* Two of the four columns, lanes `low` and `high` of q5 to q7; r7, r9: the columns, r1, r3, r5: the rows. A macro of the assembler, and no
 * tabs: a literal has at most 4095 characters (C99, 5.2.4.1). */
#define INT_MATMUL_MVE_PAIRS(body)                                                                        \
    ".macro tarn_pair low,high,begin\nldm r12,{r1,r3,r5,lr}\nldrd r7,r9,[r12,#16]\n.if \\low\nadd r7,r9\n.endif\nadd r9,r7,r9,lsl #1\n" \
    "ldrd r0,r6,[r12,#\\begin]\nmov r2,r0\nmov r4,r0\nmov r8,r6\nmov r10,r6\n" body                       \
    "vmov q5[\\high],q5[\\low],r0,r6\nvmov q6[\\high],q6[\\low],r2,r8\n"                                 \
    "vmov q7[\\high],q7[\\low],r4,r10\n.endm\n"                                                          \
    "tarn_pair 0,2,64\ntarn_pair 1,3,72\n.purgem tarn_pair\n"
/* Codes that lie side by side; the last sixteen are partly masked. */
#define INT_MATMUL_MVE_BESIDE                                                                             \
    "dlstp.8 lr,lr\n"                                                                                     \
    "2:\nvldrb.8 q3,[r7],#16\nvldrb.8 q0,[r1],#16\nvmladava.s8 r0,q3,q0\nvldrb.8 q4,[r9],#16\n"     \
    "vmladava.s8 r6,q4,q0\nvldrb.8 q1,[r3],#16\nvmladava.s8 r2,q3,q1\nvmladava.s8 r8,q4,q1\n"        \
    "vldrb.8 q2,[r5],#16\nvmladava.s8 r4,q3,q2\nvmladava.s8 r10,q4,q2\nletp lr,2b\n"
/* Sixteen codes of a column, those at offsets in q1 and in q2 by turns. */
#define INT_MATMUL_MVE_COLUMN(q, at)                                                                      \
    "vldrb.u16 " q ",[" at ",q1]\nvldrb.u16 q0,[" at ",q2]\nvmovnt.i16 " q ",q0\n"
#define INT_MATMUL_MVE_PRODUCTS(load, next)                                                               \
    load " q0,[r1]" next "\nvmladava.s8 r0,q3,q0\nvmladava.s8 r6,q4,q0\n" load " q0,[r3]" next "\n"   \
    "vmladava.s8 r2,q3,q0\nvmladava.s8 r8,q4,q0\n" load " q0,[r5]" next "\n"                          \
    "vmladava.s8 r4,q3,q0\nvmladava.s8 r10,q4,q0\n"
#define INT_MATMUL_MVE_GATHERED                                                                           \
    "vldrw.32 q1,[r12,#96]\nvldrw.32 q2,[r12,#112]\nldr r11,[r12,#88]\nwls lr,lr,3f\n"                  \
    "2:\n" INT_MATMUL_MVE_COLUMN("q3", "r7") INT_MATMUL_MVE_COLUMN("q4", "r9")                          \
    INT_MATMUL_MVE_PRODUCTS("vldrb.8", ",#16") "add r7,r11\nadd r9,r11\nle lr,2b\n"                      \
    "3:\nldr r11,[r12,#92]\ncmp r11,#0\nbeq 4f\nvldrw.32 q1,[r12,#128]\nvldrw.32 q2,[r12,#144]\n" \
    INT_MATMUL_MVE_COLUMN("q3", "r7") INT_MATMUL_MVE_COLUMN("q4", "r9")                                   \
    "vctp.8 r11\n" INT_MATMUL_MVE_PRODUCTS("vpst\nvldrbt.8", "") "4:\n"

#define INT_MATMUL_MVE_FORM(q) "vshl.s32 " q ",r0\nvmulh.s32 " q "," q ",q0\nvadd.i32 " q "," q ",r6\n"
#define INT_MATMUL_MVE_SHIFT(q) "vshl.s32 " q ",r2\nvqmovnb.s32 " q "," q "\nvqmovnb.s16 " q "," q "\n"
#define INT_MATMUL_MVE_CODES                                                                              \
    INT_MATMUL_MVE_SHIFT("q5") INT_MATMUL_MVE_SHIFT("q6") INT_MATMUL_MVE_SHIFT("q7")                       \
    "ldrd r4,r6,[r12,#36]\nadd r4,r7\nadd r6,r7\nvstrb.32 q5,[r7]\nvstrb.32 q6,[r4]\nvstrb.32 q7,[r6]\n"
#if INT_MATMUL_MVE_FLOATS
#define INT_MATMUL_MVE_ALL_EXACT                                                                          \
    "vldrw.32 q5,[r12,#160]\nvldrw.32 q6,[r12,#176]\nvldrw.32 q7,[r12,#192]\nldr r4,[r12,#276]\nvmov s0,r8\n" \
    INT_MATMUL_MVE_EXACT("q5", "s20", "s21", "s22", "s23", "s0") INT_MATMUL_MVE_EXACT("q6", "s24", "s25", "s26", "s27", "s0") \
    INT_MATMUL_MVE_EXACT("q7", "s28", "s29", "s30", "s31", "s0") "movs r2,#0\nb 5b\n"
#else
#define INT_MATMUL_MVE_ALL_EXACT ""
#endif
#define INT_MATMUL_MVE_TILES(body)                                                                        \
    "push {r3-r11,lr}\nvpush {d8-d15}\nmov r12,r0\n"                                                    \
    "1:\n" INT_MATMUL_MVE_PAIRS(body)                                                                   \
    "ldr r10,[r12,#48]\nldm r10!,{r0,r2,r4}\nstr r10,[r12,#48]\n"                                      \
    "vadd.i32 q5,q5,r0\nvadd.i32 q6,q6,r2\nvadd.i32 q7,q7,r4\n"                                       \
    "ldrd r0,r2,[r12,#52]\nldrd r4,r6,[r12,#80]\nldr r7,[r12,#32]\nvdup.32 q0,r4\nldr r4,[r12,#60]\n" \
    "cmp r4,#0\nbne.w 6f\n"                                                                                      \
    INT_MATMUL_MVE_FORM("q5") INT_MATMUL_MVE_FORM("q6") INT_MATMUL_MVE_FORM("q7")                         \
    "5:\n" INT_MATMUL_MVE_CODES                                                                         \
    "7:\nldrd r0,r2,[r12,#24]\nadd r1,r0\nadd r3,r0\nadd r5,r0\nstm r12,{r1,r3,r5}\n"              \
    "add r7,r2\nstr r7,[r12,#32]\nldr r0,[r12,#44]\nsubs r0,#1\nstr r0,[r12,#44]\nbne.w 1b\n"      \
    "vpop {d8-d15}\npop {r3-r11,pc}\n"                                                                   \
    "6:\nvstrw.32 q5,[r12,#160]\nvstrw.32 q6,[r12,#176]\nvstrw.32 q7,[r12,#192]\n"                    \
    INT_MATMUL_MVE_FORM("q5") INT_MATMUL_MVE_FORM("q6") INT_MATMUL_MVE_FORM("q7")                         \
    "ldrd r0,r6,[r12,#256]\nvdup.32 q0,r0\nvmax.s32 q1,q5,q0\nvmax.s32 q2,q6,q0\nvmax.s32 q3,q7,q0\n" \
    "vdup.32 q0,r6\nvmin.s32 q1,q1,q0\nvmin.s32 q2,q2,q0\nvmin.s32 q3,q3,q0\n"                       \
    "vdup.32 q0,r4\nvand q1,q1,q0\nvand q2,q2,q0\nvand q3,q3,q0\n"                                   \
    "vminv.u32 r4,q1\nvminv.u32 r4,q2\nvminv.u32 r4,q3\ncmp r4,#0\nbne 5b\n"                       \
    "ldrd r8,r6,[r12,#280]\ncmp r8,#0\nbeq 8f\n" INT_MATMUL_MVE_ALL_EXACT "8:\n"                      \
    "vstrw.32 q5,[r12,#208]\nvstrw.32 q6,[r12,#224]\nvstrw.32 q7,[r12,#240]\n"                    \
    "vcmp.i32 eq,q1,zr\nvmrs r8,p0\nvcmp.i32 eq,q2,zr\nvmrs r10,p0\nvcmp.i32 eq,q3,zr\nvmrs r11,p0\n" \
    INT_MATMUL_MVE_CODES                                                                                  \
    "push {r1,r3}\norr r2,r8,r10,lsl #16\nmov r3,r11\nmov r8,r12\nmov r0,r12\nmov r1,r7\nbl %c0\n" \
    "pop {r1,r3}\nmov r12,r8\nb 7b"

TARN_NAKED static void int_matmul_mve_beside_s8(int_matmul_mve_state_s8 *s TARN_UNUSED)
{
    __asm__(INT_MATMUL_MVE_TILES(INT_MATMUL_MVE_BESIDE) : : "i"(int_matmul_mve_near_s8));
}

TARN_NAKED static void int_matmul_mve_gathered_s8(int_matmul_mve_state_s8 *s TARN_UNUSED)
{
    __asm__(INT_MATMUL_MVE_TILES(INT_MATMUL_MVE_GATHERED) : : "i"(int_matmul_mve_near_s8));
}

/* A column at r4 and its sum, of which the zero point of a takes its part. */
#define INT_MATMUL_MVE_SHORT_COLUMN(q, at)                                                                \
    "vldrb.u16 " q ",[r4,q4]\nvldrb.u16 q6,[r4,q5]\nvmovnt.i16 " q ",q6\nadd r4,r6\n"                     \
    "vpst\nvaddvt.s8 r8," q "\nmla r8,r8,r3,r2\nstr r8,[sp,#" at "]\n"
/* A row at r1 times four columns: sums in q5. */
#define INT_MATMUL_MVE_SHORT_SUMS                                                                         \
    "vpst\nvldrbt.8 q4,[r1]\nadd r1,r2\nvmladav.s8 r4,q0,q4\nvmladav.s8 r6,q1,q4\nvmladav.s8 r8,q2,q4\n"  \
    "vmladav.s8 r10,q3,q4\nvmov q5[2],q5[0],r4,r8\nldr r4,[r3],#4\nvmov q5[3],q5[1],r6,r10\n"             \
    "vadd.i32 q5,q5,q6\nvadd.i32 q5,q5,r4\n"
#define INT_MATMUL_MVE_SHORT_LINES "vshl.s32 q5,r5\nvmulh.s32 q5,q5,q7\nvadd.i32 q5,q5,r11\n"
#define INT_MATMUL_MVE_SHORT_CODES "vshl.s32 q5,r12\nvqmovnb.s32 q5,q5\nvqmovnb.s16 q5,q5\nvstrb.32 q5,[r7]\nadd r7,r9\n"
#if INT_MATMUL_MVE_FLOATS
#define INT_MATMUL_MVE_SHORT_EXACT                                                                        \
    "vldrw.32 q4,[sp]\nvmov s20,r4\nldr r4,[r6,#276]\nldr r6,[r6,#284]\n" INT_MATMUL_MVE_EXACT("q4", "s16", "s17", "s18", "s19", "s20") \
    "vqmovnb.s32 q4,q4\nvqmovnb.s16 q4,q4\nvstrb.32 q4,[r7]\nadd r7,r9\nle lr,4b\nb 3b\n"
#else
#define INT_MATMUL_MVE_SHORT_EXACT ""
#endif

/* Four columns of no more than sixteen codes, which stay in registers for all rows. A call in between leaves nothing of them. r0 is
 * what no masked line was below so far: anything but 0 at first. */
TARN_NAKED static void int_matmul_mve_short_s8(int_matmul_mve_state_s8 *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\nsub sp,#28\nvpush {d8-d15}\nsub sp,#16\nstr r0,[sp,#80]\n"
            "ldr r1,[r0]\nldr r3,[r0,#48]\nldr r7,[r0,#32]\nldr lr,[r0,#44]\n"
            "2:\nldr r12,[sp,#80]\nstr r3,[sp,#84]\nldr r4,[r12,#12]\nvctp.8 r4\nldr r8,[r12,#272]\n"
            "vldrw.32 q4,[r8]\nvldrw.32 q5,[r8,#16]\nldrd r4,r6,[r12,#16]\nldrd r2,r3,[r12,#264]\n"
            INT_MATMUL_MVE_SHORT_COLUMN("q0", "0") INT_MATMUL_MVE_SHORT_COLUMN("q1", "4")
            INT_MATMUL_MVE_SHORT_COLUMN("q2", "8") INT_MATMUL_MVE_SHORT_COLUMN("q3", "12")
            "vldrw.32 q6,[sp]\nldr r3,[sp,#84]\nldrd r2,r9,[r12,#24]\nldrd r4,r11,[r12,#80]\nvdup.32 q7,r4\n"
            "ldr r4,[r12,#60]\nstr r4,[sp,#88]\nmov r0,r12\nldrd r5,r12,[r12,#52]\ncmp r4,#0\nbne 4f\n"
            "1:\n" INT_MATMUL_MVE_SHORT_SUMS INT_MATMUL_MVE_SHORT_LINES INT_MATMUL_MVE_SHORT_CODES "le lr,1b\n"
            "3:\nadd sp,#16\nvpop {d8-d15}\nadd sp,#28\npop {r4-r11,pc}\n"
            "4:\n" INT_MATMUL_MVE_SHORT_SUMS "vstrw.32 q5,[sp]\n" INT_MATMUL_MVE_SHORT_LINES
            "ldr r4,[sp,#88]\nvdup.32 q4,r4\nvand q4,q4,q5\nvminv.u32 r0,q4\ncbz r0,5f\n"
            INT_MATMUL_MVE_SHORT_CODES "le lr,4b\nb 3b\n"
            "5:\nldr r6,[sp,#80]\nmov r0,r6\nldr r4,[r6,#280]\ncmp r4,#0\nbeq 6f\n" INT_MATMUL_MVE_SHORT_EXACT
            "6:\nvcmp.i32 eq,q4,zr\nvmrs r6,p0\nmov r8,r1\nmov r10,r3\nmov r5,lr\nmov r4,r7\n"
            "ldr r11,[sp,#80]\nvldrw.32 q4,[sp]\nvstrw.32 q4,[r11,#160]\nvstrw.32 q5,[r11,#208]\n"
            INT_MATMUL_MVE_SHORT_CODES "mov r0,r11\nmov r1,r4\nmov r2,r6\nmovs r3,#0\nbl %c0\n"
            "mov r1,r8\nmov r3,r10\nmov lr,r5\nsubs lr,#1\nbne 2b\nb 3b"
            : : "i"(int_matmul_mve_near_s8));
}

/* Gathers four columns to d, each sixteen codes `d_step` bytes behind the others; their sums. */
TARN_NAKED static void int_matmul_mve_gather_s8(const int_matmul_mve_state_s8 *s TARN_UNUSED, int8_t *d TARN_UNUSED,
                                                int32_t d_step TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tvpush {d8-d11}\n\tldrd r5,r6,[r0,#12]\n\tldr r7,[r0,#20]\n\tldrd r8,r9,[r0,#88]\n\t"
            "vldrw.32 q1,[r0,#96]\n\tvldrw.32 q2,[r0,#112]\n\tvldrw.32 q4,[r0,#128]\n\tvldrw.32 q5,[r0,#144]\n\t"
            "vctp.8 r9\n\tmov r12,#4\n"
            "1:\n\tmov r0,r6\n\tmovs r4,#0\n\twls lr,r5,3f\n"
            "2:\n\t" INT_MATMUL_MVE_COLUMN("q3", "r0") "vaddva.s8 r4,q3\n\tvstrb.8 q3,[r1]\n\tadd r1,r2\n\tadd r0,r8\n\tle lr,2b\n"
            "3:\n\tcmp r9,#0\n\tbeq 4f\n\tvldrb.u16 q3,[r0,q4]\n\tvldrb.u16 q0,[r0,q5]\n\tvmovnt.i16 q3,q0\n\t"
            "vpst\n\tvaddvat.s8 r4,q3\n\tvstrb.8 q3,[r1]\n\tadd r1,r2\n"
            "4:\n\tstr r4,[r3],#4\n\tadd r6,r7\n\tsubs r12,#1\n\tbne 1b\n\tvpop {d8-d11}\n\tpop {r4-r11,pc}");
}

/* `rows` of k codes, a_row bytes apart: their sums times `factor`. */
TARN_NAKED static void int_matmul_mve_row_sums_s8(const int8_t *x TARN_UNUSED, int32_t k TARN_UNUSED, int32_t rows TARN_UNUSED,
                                                  int32_t *sums TARN_UNUSED, int32_t a_row TARN_UNUSED, int32_t factor TARN_UNUSED)
{
    __asm__("push {r4-r7,r8,lr}\n\tldrd r5,r6,[sp,#24]\n"
            "1:\n\tmov r7,r0\n\tmovs r4,#0\n\tdlstp.8 lr,r1\n"
            "2:\n\tvldrb.8 q0,[r7],#16\n\tvaddva.s8 r4,q0\n\tletp lr,2b\n\t"
            "muls r4,r6,r4\n\tstr r4,[r3],#4\n\tadd r0,r5\n\tsubs r2,#1\n\tbne 1b\n\tpop {r4-r7,r8,pc}");
}

/* Offsets of sixteen codes, even and odd, then the same of the first `rest`. */
TARN_NAKED static void int_matmul_mve_lay_s8(uint16_t *to TARN_UNUSED, int32_t rest TARN_UNUSED, int32_t step TARN_UNUSED)
{
    __asm__("mov r12,#0\n\tvidup.u16 q2,r12,#2\n\tvmul.i16 q0,q2,r2\n\tvadd.i16 q1,q0,r2\n\tvstrh.16 q0,[r0]\n\tvstrh.16 q1,[r0,#16]\n\t"
            "vcmp.u16 cs,q2,r1\n\tvpst\n\tvmovt.i16 q0,#0\n\tsubs r1,#1\n\tvcmp.u16 cs,q2,r1\n\tvpst\n\tvmovt.i16 q1,#0\n\t"
            "vstrh.16 q0,[r0,#32]\n\tvstrh.16 q1,[r0,#48]\n\tbx lr");
}

#else

static void int_matmul_mve_row_sums_s8(const int8_t *x, int32_t k, int32_t rows, int32_t *sums, int32_t a_row, int32_t factor)
{
    int32_t i;
    for (i = 0; i < rows; ++i) {
        sums[i] = factor * tarn_int_mve_sum(x + ((ptrdiff_t)i * a_row), k);
    }
}

/* Columns b[i * across] of codes `step` bytes apart. */
static void int_matmul_mve_tiles_s8(int_matmul_mve_state_s8 *s, int32_t k, int32_t step)
{
    for (; s->threes > 0; --s->threes) {
        int32_t i;
        for (i = 0; i < 12; ++i) {
            const int32_t column = i & 3;
            const int8_t *x = s->x[i / 4];
            const int8_t *b = s->b + ((ptrdiff_t)column * s->across);
            int32_t sum = s->begin[((column & 1) * 2) + (column / 2)] + s->row_begin[i / 4];
            int32_t j;
            for (j = 0; j < k; ++j) {
                sum += x[j] * b[(ptrdiff_t)j * step];
            }
            s->y[((i < 4) ? 0 : (i < 8) ? s->second : s->third) + column] = (int8_t)tarn_requant(s->requant, NULL, 0, sum, s->m, s->c);
        }
        for (i = 0; i < 3; ++i) {
            s->x[i] += s->x_step;
        }
        s->y += s->y_step;
        s->row_begin += 3;
    }
}

#endif

/* What gathering counts on. */
static void int_matmul_mve_offsets_s8(int_matmul_mve_state_s8 *s, int32_t k, int32_t step)
{
    s->rest = k % 16;
    s->step = 16 * step;
#if TARN_INT_MVE_ASM
    int_matmul_mve_lay_s8(s->even, s->rest, step);
#endif
}

/* Four columns from b on, times `rows` of a from x on. */
static void int_matmul_mve_columns_s8(const tarn_int_matmul_mve_s8_params *p, int_matmul_mve_state_s8 *s, const int8_t *x, const int8_t *b,
                                      int8_t *y, int32_t rows, const int32_t *row_begin)
{
    int32_t sums[4];
    int32_t done = 0;
    int32_t i;
#if TARN_INT_MVE_ASM
    const int32_t padded = (p->k + 15) / 16 * 16;
    const int32_t beside = (p->b_row == 1) || (p->k <= INT_MATMUL_MVE_SHORT);
    int8_t gathered[4 * INT_MATMUL_MVE_SHORT];
    s->b = b;
    s->across = p->b_column;
    if (p->k <= 16) {
        s->x[0] = x;
        s->x_step = p->a_row;
        s->y = y;
        s->y_step = p->y_row;
        s->length = p->k;
        s->threes = rows;
        s->row_begin = row_begin;
        int_matmul_mve_short_s8(s);
        return;
    }
    if (p->b_row == 1) {
        for (i = 0; (i < 4) && (p->a_zero != 0); ++i) {
            sums[i] = tarn_int_mve_sum(b + ((ptrdiff_t)i * p->b_column), p->k);
        }
    } else {
        s->length = p->k / 16;
        int_matmul_mve_gather_s8(s, gathered, (beside != 0) ? 16 : 0, sums);
        if (beside != 0) {
            s->b = gathered;
            s->across = padded;
        }
    }
    s->length = (beside != 0) ? p->k : (p->k / 16);
    s->x_step = (3 * p->a_row) - ((beside != 0) ? padded : (p->k / 16 * 16));
#else
    s->b = b;
    s->across = p->b_column;
    s->x_step = 3 * p->a_row;
    for (i = 0; i < 4; ++i) {
        int32_t j;
        sums[i] = 0;
        for (j = 0; j < p->k; ++j) {
            sums[i] += b[(i * p->b_column) + (j * p->b_row)];
        }
    }
#endif
    for (i = 0; i < 4; ++i) {
        s->begin[((i & 1) * 2) + (i / 2)] = (p->a_zero != 0) ? (p->a_zero * ((p->k * p->b_zero) - sums[i])) : 0;
    }
    s->row_begin = row_begin;
    /* Rows in threes, then what is left. */
    while (done < rows) {
        const int32_t left = rows - done;
        for (i = 0; i < 3; ++i) {
            s->x[i] = x + ((ptrdiff_t)(done + ((i < left) ? i : 0)) * p->a_row);
        }
        s->second = (left > 1) ? p->y_row : 0;
        s->third = (left > 2) ? (2 * p->y_row) : 0;
        s->y = y + ((ptrdiff_t)done * p->y_row);
        s->threes = (left < 3) ? 1 : (left / 3);
        done += 3 * s->threes;
#if TARN_INT_MVE_ASM
        if (beside != 0) {
            int_matmul_mve_beside_s8(s);
        } else {
            int_matmul_mve_gathered_s8(s);
        }
#else
        int_matmul_mve_tiles_s8(s, p->k, p->b_row);
#endif
    }
}

static TARN_NOINLINE void int_matmul_mve_all_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    int32_t row_begin[INT_MATMUL_MVE_ROWS];
    int_matmul_mve_state_s8 s;
    int32_t batch;
    s.requant = &p->requant;
    s.y_step = 3 * p->y_row;
    s.pre = p->requant.pre;
    s.down = -p->requant.post;
    s.zones = (p->requant.mask != -1) ? p->requant.mask : 0;
    s.m = p->factor;
    s.c = p->constant;
    s.least = INT32_MIN;
    s.most = INT32_MAX;
    if ((p->requant.post > 0) && (p->requant.post < 24)) {
        /* In the middle of both codes. */
        s.least = ((2 * p->requant.lo) + 1) * (int32_t)((uint32_t)1 << (p->requant.post - 1));
        s.most = ((2 * p->requant.hi) + 1) * (int32_t)((uint32_t)1 << (p->requant.post - 1));
    }
    s.scale = tarn_requant_scale(&p->requant, p->factor);
    s.unit = (INT_MATMUL_MVE_FLOATS != 0) ? (float)p->requant.unit : 0.0F;
    s.zero = p->requant.zero;
    s.all = p->a_zero * p->k * p->b_zero;
    s.a_minus = -p->a_zero;
    s.offsets = (p->k == 16) ? s.even : s.even_rest;
    int_matmul_mve_offsets_s8(&s, p->k, p->b_row);
    for (batch = 0; batch < p->batches; ++batch) {
        const int8_t *x = a + ((ptrdiff_t)batch * p->a_batch);
        int8_t *y_at = y + ((ptrdiff_t)batch * p->y_batch);
        int32_t row;
        for (row = 0; row < p->m; row += INT_MATMUL_MVE_ROWS) {
            const int32_t rows = ((p->m - row) < INT_MATMUL_MVE_ROWS) ? (p->m - row) : INT_MATMUL_MVE_ROWS;
            int32_t column;
            int32_t i;
            int_matmul_mve_row_sums_s8(x, p->k, rows, row_begin, p->a_row, -p->b_zero);
            /* Behind the last rows the first of a three stands. */
            for (i = rows; (i % 3) != 0; ++i) {
                row_begin[i] = row_begin[(ptrdiff_t)(rows / 3) * 3];
            }
            for (column = 0; column < p->n; column += 4) {
                /* The last four may lie partly over those before. */
                const int32_t at = ((p->n - column) < 4) ? (p->n - 4) : column;
                int_matmul_mve_columns_s8(p, &s, x, b + ((ptrdiff_t)batch * p->b_batch) + ((ptrdiff_t)at * p->b_column), y_at + at, rows,
                                          row_begin);
            }
            tarn_int_mve_clamp(&p->requant, y_at, p->n, p->y_row, rows);
            x += (ptrdiff_t)INT_MATMUL_MVE_ROWS * p->a_row;
            y_at += (ptrdiff_t)INT_MATMUL_MVE_ROWS * p->y_row;
        }
    }
}

TARN_API void tarn_int_matmul_mve_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
#if TARN_INT_MVE_ASM && !TARN_LESS_CODE
    if (int_matmul_mve_few_columns_s8(p, a, b, y) != 0) {
        return;
    }
#endif
    int_matmul_mve_all_s8(p, a, b, y);
}
