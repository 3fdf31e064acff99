/* SPDX-License-Identifier: MIT-0
 * How tarn_int_conv2d_mve_line_s8.c, which alone includes this, gathers what lies under the kernel: by pieces, by rows, at the edges of
 * an image. */
#ifndef TARN_INT_CONV2D_MVE_PATCHES_S8_H
#define TARN_INT_CONV2D_MVE_PATCHES_S8_H

#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_mve.h"

TARN_BEGIN_C

#if TARN_INT_MVE_ASM && !TARN_LESS_CODE
#define INT_CONV2D_MVE_COPIES_S8 1 /* in assembly of their own */

/* Copies `count` pieces of n codes, 16 at most, that stand `pitch` apart; returns the end of the copy. A function that is assembly
 * alone, since compilers do not know the predicate by name. */
TARN_NAKED TARN_UNUSED static int8_t *int_conv2d_mve_pieces_s8(int8_t *d TARN_UNUSED, const int8_t *x TARN_UNUSED, int32_t n TARN_UNUSED,
                                                               int32_t count TARN_UNUSED, int32_t pitch TARN_UNUSED)
{
    __asm__("push {r4,lr}\n\tldr r4,[sp,#8]\n\tvctp.8 r2\n\twls lr,r3,2f\n"
            "1:\n\tvpstt\n\tvldrbt.8 q0,[r1]\n\tvstrbt.8 q0,[r0]\n\tadd r1,r4\n\tadd r0,r2\n\tle lr,1b\n"
            "2:\n\tpop {r4,pc}");
}

/* The assembly counts on the order. */
typedef struct {
    int32_t offset, n;          /* of the first piece in each line; its codes: 16 at most */
    int32_t taps, pitch;        /* pieces of a line, and codes from one to the next */
    int32_t rows, groups;
} int_conv2d_mve_all_pieces_s8;

/* Group by group all pieces of all lines, one behind the other. */
TARN_NAKED TARN_UNUSED static void int_conv2d_mve_groups_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED,
                                                            const int_conv2d_mve_all_pieces_s8 *p TARN_UNUSED)
{
    __asm__("push {r4-r10,lr}\n\tldm r2,{r2-r7}\n\tvctp.8 r3\n"
            "1:\n\tmov r8,r1\n\tmov r9,r6\n"
            "2:\n\tldr r10,[r8],#4\n\tadd r10,r2\n\tdls lr,r4\n"
            "3:\n\tvpstt\n\tvldrbt.8 q0,[r10]\n\tvstrbt.8 q0,[r0]\n\tadd r10,r5\n\tadd r0,r3\n\tle lr,3b\n\t"
            "subs r9,#1\n\tbne 2b\n\tadd r2,r3\n\tsubs r7,#1\n\tbne 1b\n\tpop {r4-r10,pc}");
}

#else
#define INT_CONV2D_MVE_COPIES_S8 0
#endif

#if TARN_INT_MVE_ASM

/* The assembly counts on the order. */
typedef struct {
    ptrdiff_t offset;           /* bytes from the first pixel of a line to the patch, which may begin before it */
    int32_t n, rows;            /* codes of a row, 16 at most */
    uint32_t inside, all;       /* a bit for each of them */
    int32_t zero;
} int_conv2d_mve_edge;

/* A patch of few codes to a row at an edge of the image: what is not inside becomes the zero point. */
TARN_NAKED TARN_UNUSED static void int_conv2d_mve_edge_rows_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED,
                                                               const int_conv2d_mve_edge *p TARN_UNUSED)
{
    __asm__("push {r4-r7,lr}\n\tldm r2,{r2-r7}\n\tvdup.8 q1,r7\n\tdls lr,r4\n"
            "1:\n\tldr r4,[r1],#4\n\tvmov q0,q1\n\tcbz r4,2f\n\tadd r4,r2\n\tvmsr p0,r5\n\t"
            "vpst\n\tvldrbt.8 q0,[r4]\n\tvpsel q0,q0,q1\n"
            "2:\n\tvmsr p0,r6\n\tvpst\n\tvstrbt.8 q0,[r0]\n\tadd r0,r3\n\tle lr,1b\n\tpop {r4-r7,pc}");
}

TARN_UNUSED static void int_conv2d_mve_edge_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int8_t *d)
{
    const int32_t before = (column < 0) ? -column : 0;
    const int32_t room = p->in_pixels - column;
    const int32_t first = (before < p->taps) ? before : p->taps;
    const int32_t end = (room < first) ? first : ((room < p->taps) ? room : p->taps);
    const int32_t n = p->taps * p->inputs;
    const int_conv2d_mve_edge edge = {(ptrdiff_t)column * p->inputs, n, p->rows, (1U << (end * p->inputs)) - (1U << (first * p->inputs)), (1U << n) - 1U, p->zero};
    int_conv2d_mve_edge_rows_s8(d, x, &edge);
}

/* Copies n codes of each of `rows` lines, at least one, from `offset` on, one behind the other; up to 16 take no loop. Returns the
 * end of the copy. */
TARN_NAKED TARN_UNUSED static int8_t *int_conv2d_mve_rows_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED, int32_t offset TARN_UNUSED,
                                                             int32_t n TARN_UNUSED, int32_t rows TARN_UNUSED)
{
    __asm__("push {r4-r6,lr}\n\tldr r4,[sp,#16]\n\tcmp r3,#16\n\tbgt 2f\n\tvctp.8 r3\n\tdls lr,r4\n"
            "1:\n\tldr r5,[r1],#4\n\tadd r5,r2\n\tvpstt\n\tvldrbt.8 q0,[r5]\n\tvstrbt.8 q0,[r0]\n\tadd r0,r3\n\tle lr,1b\n\t"
            "pop {r4-r6,pc}\n"
            "2:\n\tldr r5,[r1],#4\n\tadd r5,r2\n\tmov r6,r0\n\tdlstp.8 lr,r3\n"
            "3:\n\tvldrb.8 q0,[r5],#16\n\tvstrb.8 q0,[r6],#16\n\tletp lr,3b\n\tadd r0,r3\n\tsubs r4,#1\n\tbne 2b\n\t"
            "pop {r4-r6,pc}");
}

#else

TARN_UNUSED static int8_t *int_conv2d_mve_rows_s8(int8_t *d, const int8_t *const *x, int32_t offset, int32_t n, int32_t rows)
{
    int8_t *d_at = d;
    int32_t row;
    for (row = 0; row < rows; ++row) {
        d_at = tarn_int_mve_copy(d_at, x[row] + offset, n);
    }
    return d_at;
}

#endif

/* Copies `count` pieces of n codes, of any length, that stand `pitch` apart; returns the end of the copy. */
TARN_UNUSED static int8_t *int_conv2d_mve_taps_s8(int8_t *d, const int8_t *x, int32_t n, int32_t count, int32_t pitch)
{
    int8_t *d_at = d;
    const int8_t *x_at = x;
    int32_t tap;
#if INT_CONV2D_MVE_COPIES_S8
    if (n <= 16) {
        return int_conv2d_mve_pieces_s8(d, x, n, count, pitch);
    }
#endif
    for (tap = 0; tap < count; ++tap) {
        d_at = tarn_int_mve_copy(d_at, x_at, n);
        x_at += pitch;
    }
    return d_at;
}

/* What lies under the kernel at any column, group by group: of a line that is there taps outside of the image, those
 * inside, and those outside again. */
TARN_UNUSED static void int_conv2d_mve_sides_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int32_t pitch,
                                                int8_t *d)
{
    int8_t *d_at = d;
    const int32_t inputs = p->inputs;
    const int32_t step = p->dilation[1];
    int32_t before = 0;
    int32_t inside = p->taps;
    int32_t after = 0;
    ptrdiff_t offset;
    int32_t group;
    while ((inside > 0) && ((column + (before * step)) < 0)) {
        ++before;
        --inside;
    }
    while ((inside > 0) && ((column + ((before + inside - 1) * step)) >= p->in_pixels)) {
        ++after;
        --inside;
    }
    offset = (inside > 0) ? ((ptrdiff_t)(column + (before * step)) * p->x_pitch) : 0;
    for (group = 0; group < p->groups; ++group) {
        int32_t row;
        for (row = 0; row < p->rows; ++row) {
            if (x[row] == NULL) {
                d_at = tarn_int_mve_fill(d_at, p->zero, p->taps * inputs);
                continue;
            }
            if (before != 0) {
                d_at = tarn_int_mve_fill(d_at, p->zero, before * inputs);
            }
            if (pitch == inputs) {
                d_at = tarn_int_mve_copy(d_at, x[row] + offset, inside * inputs);
            } else {
                d_at = int_conv2d_mve_taps_s8(d_at, x[row] + offset, inputs, inside, pitch);
            }
            if (after != 0) {
                d_at = tarn_int_mve_fill(d_at, p->zero, after * inputs);
            }
        }
        offset += inputs;
    }
}

/* How many lines under the kernel there are, behind `above` that are outside the image; 0 too where more follow those that are outside
 * again. */
TARN_UNUSED static int32_t int_conv2d_mve_lines_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t *above)
{
    int32_t begin = 0;
    int32_t end;
    int32_t row;
    while ((begin < p->rows) && (x[begin] == NULL)) {
        ++begin;
    }
    end = begin;
    while ((end < p->rows) && (x[end] != NULL)) {
        ++end;
    }
    for (row = end; row < p->rows; ++row) {
        if (x[row] != NULL) {
            return 0;
        }
    }
    *above = begin;
    return end - begin;
}

/* Copies what lies under the kernel from column `column` on, taps side by side, all of them inside the `there` lines. */
TARN_UNUSED static void int_conv2d_mve_gather_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int32_t above,
                                                 int32_t there, int8_t *d)
{
    int8_t *d_at = d;
    const int32_t n = p->taps * p->inputs;
    const int32_t below = p->rows - above - there;
    if ((TARN_LESS_CODE == 0) && (above != 0)) {
        d_at = tarn_int_mve_fill(d_at, p->zero, above * n);
    }
    d_at = int_conv2d_mve_rows_s8(d_at, x + above, column * p->inputs, n, there);
    if ((TARN_LESS_CODE == 0) && (below != 0)) {
        tarn_int_mve_fill(d_at, p->zero, below * n);
    }
}

TARN_END_C
#endif
