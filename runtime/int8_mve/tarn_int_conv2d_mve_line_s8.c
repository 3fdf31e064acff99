/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_mve_few.h"

#if TARN_INT_MVE_ASM && !TARN_LESS_CODE
#define INT_CONV2D_MVE_COPIES_S8 1 /* in assembly of their own */

/* Copies `count` pieces of n codes, 16 at most, that stand `pitch` apart; returns the end of the copy. A function that is assembly
 * alone, since compilers do not know the predicate by name. */
TARN_NAKED static int8_t *int_conv2d_mve_pieces_s8(int8_t *d TARN_UNUSED, const int8_t *x TARN_UNUSED, int32_t n TARN_UNUSED,
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
TARN_NAKED static void int_conv2d_mve_groups_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED,
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
TARN_NAKED static void int_conv2d_mve_edge_rows_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED,
                                                   const int_conv2d_mve_edge *p TARN_UNUSED)
{
    __asm__("push {r4-r7,lr}\n\tldm r2,{r2-r7}\n\tvdup.8 q1,r7\n\tdls lr,r4\n"
            "1:\n\tldr r4,[r1],#4\n\tvmov q0,q1\n\tcbz r4,2f\n\tadd r4,r2\n\tvmsr p0,r5\n\t"
            "vpst\n\tvldrbt.8 q0,[r4]\n\tvpsel q0,q0,q1\n"
            "2:\n\tvmsr p0,r6\n\tvpst\n\tvstrbt.8 q0,[r0]\n\tadd r0,r3\n\tle lr,1b\n\tpop {r4-r7,pc}");
}

static void int_conv2d_mve_edge_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int8_t *d)
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
TARN_NAKED static int8_t *int_conv2d_mve_rows_s8(int8_t *d TARN_UNUSED, const int8_t *const *x TARN_UNUSED, int32_t offset TARN_UNUSED,
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

static int8_t *int_conv2d_mve_rows_s8(int8_t *d, const int8_t *const *x, int32_t offset, int32_t n, int32_t rows)
{
    int8_t *d_at = d;
    int32_t row;
    for (row = 0; row < rows; ++row) {
        d_at = tarn_int_mve_copy(d_at, x[row] + offset, n);
    }
    return d_at;
}

#endif

/* The same of any length. */
static int8_t *int_conv2d_mve_taps_s8(int8_t *d, const int8_t *x, int32_t n, int32_t count, int32_t pitch)
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
static void int_conv2d_mve_sides_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int32_t pitch,
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
static int32_t int_conv2d_mve_lines_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t *above)
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
static void int_conv2d_mve_gather_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int32_t above,
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

/* Whether tarn_int_mve_short() takes its patches. */
static int int_conv2d_mve_short_s8(const tarn_int_conv2d_mve_s8_params *p, const tarn_int_mve_state *s)
{
    return (p->block == 3) && (s->length <= TARN_INT_MVE_SHORT);
}

static void int_conv2d_mve_shift_s8(tarn_int_mve_state *s, int32_t n)
{
    int32_t i;
    for (i = 0; i < 3; ++i) {
        s->x[i] += n;
    }
}

/* Before int_conv2d_mve_fours_s8(): whole blocks in the scratch. */
static void int_conv2d_mve_blocks_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *scratch)
{
    const int32_t all = (p->block == 3) ? (p->groups * s->length) : 0;
    s->x[0] = scratch;
    s->x[1] = scratch + all;
    s->x[2] = scratch + ((ptrdiff_t)2 * all);
    s->second = p->y_pitch;
    s->third = 2 * p->y_pitch;
    s->w_zero = NULL;
    s->first = 0;
    s->closer = (s->mask != -1) ? s->mask : 0;
}

/* Outputs of a block, of weights without zero points: whole fours of them in each group, or short patches. */
static void int_conv2d_mve_fours_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *w, const int32_t *q,
                                    int8_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    int8_t *y_at = y;
    int32_t group = p->groups;
    s->channel = 0;
    for (;;) {
        s->y = y_at;
        s->y_first = y_at;
        y_at += p->outputs;
        s->y_end = y_at;
        if (p->block != 3) {
            tarn_int_mve_dense(s, w_at, q_at);
#if TARN_INT_MVE_SHORT
        } else if (s->length <= TARN_INT_MVE_SHORT) {
            tarn_int_mve_steps steps = {0, 0, 1};
            tarn_int_mve_short(s, w_at, q_at, &steps);
#endif
        } else {
            tarn_int_mve_block(s, w_at, q_at);
        }
        --group;
        if (group == 0) {
            break;
        }
        int_conv2d_mve_shift_s8(s, s->length);
        w_at += (ptrdiff_t)((p->outputs + 3) / 4) * s->quad;
        q_at += (ptrdiff_t)12 * ((p->outputs + 3) / 4);
        s->channel += (p->outputs + 3) / 4 * 4;
    }
    if (p->groups > 1) {
        int_conv2d_mve_shift_s8(s, (1 - p->groups) * s->length);
    }
    tarn_int_mve_clamp(s->p, y, p->groups * p->outputs, p->y_pitch, p->block);
}

/* All outputs of `count` patches. */
static void int_conv2d_mve_block_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *scratch,
                                    const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t count)
{
    const int8_t *scratch_at = scratch;
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t *w_zero_at = w_zero;
    int8_t *y_at = y;
    const int32_t all = p->groups * s->length;
    const int32_t lanes = (p->outputs + 3) / 4 * 4;
    int32_t group;
    s->channel = 0;
    for (group = 0; group < p->groups; ++group) {
        s->x[0] = scratch_at;
        s->x[1] = (count > 1) ? (scratch_at + all) : scratch_at;
        s->x[2] = (count > 2) ? (scratch_at + ((ptrdiff_t)2 * all)) : scratch_at;
        if (w_zero_at != NULL) {
            int32_t i;
            for (i = 0; i < p->block; ++i) {
                s->x_sums[i] = tarn_int_mve_sum(s->x[i], s->length);
            }
        }
        tarn_int_mve_outputs(s, p->block == 3, w_at, q_at, w_zero_at, y_at, p->y_pitch, count);
        scratch_at += s->length;
        w_at += TARN_INT_MVE_BYTES(lanes, (ptrdiff_t)(s->length + 15) / 16 * 16);
        q_at += (ptrdiff_t)3 * lanes;
        w_zero_at = (w_zero_at != NULL) ? (w_zero_at + lanes) : NULL;
        y_at += p->outputs;
        s->channel += lanes;
    }
}

#if TARN_INT_MVE_SHORT

/* All outputs of `count` patches, a multiple of three, that are pixels of few inputs: as they lie in x, into registers. */
static void int_conv2d_mve_pixels_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *x, const int8_t *w,
                                     const int32_t *q, int8_t *y, int32_t count)
{
    const int32_t step = p->stride[1] * p->x_pitch;
    tarn_int_mve_steps steps = {3 * step, 3 * p->y_pitch, count / 3};
    s->x[0] = x;
    s->x[1] = x + step;
    s->x[2] = x + ((ptrdiff_t)2 * step);
    s->channel = 0;
    s->y = y;
    tarn_int_mve_short(s, w, q, &steps);
    tarn_int_mve_clamp(s->p, y, p->outputs, p->y_pitch, count);
}

#endif

static void int_conv2d_mve_begin_s8(const tarn_int_conv2d_mve_s8_params *p, const int32_t *exceptions, tarn_int_mve_state *s)
{
    tarn_int_mve_begin(s, &p->requant, exceptions, p->rows * p->taps * p->inputs, p->outputs);
}

TARN_API void tarn_int_conv2d_mve_rest_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *w, const int32_t *q,
                                          const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int32_t held,
                                          const int8_t *scratch)
{
    if (held != 0) {
        tarn_int_mve_state s;
        int_conv2d_mve_begin_s8(p, exceptions, &s);
        if ((TARN_LESS_CODE == 0) && (p->groups == 1) && (w_zero == NULL)) {
            s.x[0] = scratch;
            s.x[1] = (held > 1) ? (scratch + s.length) : scratch;
            s.x[2] = scratch;
            tarn_int_mve_fewer(&s, w, q, NULL, y, p->y_pitch, held);
        } else {
            int_conv2d_mve_block_s8(p, &s, scratch, w, q, w_zero, y, held);
        }
    }
}

TARN_API int32_t tarn_int_conv2d_mve_columns_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t held, int8_t *scratch)
{
    int8_t *y_at = y;
    int32_t held_now = held;
    /* Patches are whole pixels, side by side or not. */
    const int whole = (p->rows == 1) && (p->taps == 1) && (p->pad[1] == 0) && (x[0] != NULL) &&
                      (((p->out_pixels - 1) * p->stride[1]) < p->in_pixels);
    const int dense = whole && (p->x_pitch == (p->groups * p->inputs)) && (p->stride[1] == 1);
    const int32_t last = p->in_pixels - 1 - ((p->taps - 1) * p->dilation[1]);
    int32_t above = 0;
    const int32_t there = int_conv2d_mve_lines_s8(p, x, &above);
    const int beside = (p->dilation[1] * p->x_pitch) == p->inputs; /* taps */
    const int joined = ((TARN_LESS_CODE != 0) ? (there == p->rows) : (there != 0)) && beside;
#if INT_CONV2D_MVE_COPIES_S8
    const int pieces = (there == p->rows) && (p->inputs <= 16);
#endif
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t left = end - first;
    int fours;
    tarn_int_mve_state s;
    int_conv2d_mve_begin_s8(p, exceptions, &s);
    fours = (TARN_LESS_CODE == 0) && (w_zero == NULL) && (((p->outputs % 4) == 0) || int_conv2d_mve_short_s8(p, &s));
    if (fours) {
        int_conv2d_mve_blocks_s8(p, &s, scratch);
    }
    while (left > 0) {
        int8_t *d = scratch + ((ptrdiff_t)held_now * p->groups * s.length);
        int32_t taken = 1;
#if TARN_INT_MVE_SHORT
        if (whole && fours && (held_now == 0) && (left >= 3) && (p->groups == 1) && int_conv2d_mve_short_s8(p, &s)) {
            /* What is left then is no block. */
            taken = left / 3 * 3;
            int_conv2d_mve_pixels_s8(p, &s, x[0] + ((ptrdiff_t)column * p->x_pitch), w, q, y_at, taken);
            y_at += (ptrdiff_t)taken * p->y_pitch;
            left -= taken;
            column += taken * p->stride[1];
            continue;
        }
#endif
        if (dense) {
            taken = (left < (p->block - held_now)) ? left : (p->block - held_now);
            tarn_int_mve_copy(d, x[0] + ((ptrdiff_t)column * p->x_pitch), taken * p->x_pitch);
        } else if (joined && (column >= 0) && (column <= last)) {
            int_conv2d_mve_gather_s8(p, x, column, above, there, d);
#if INT_CONV2D_MVE_COPIES_S8
        } else if (pieces && (column >= 0) && (column <= last)) {
            const int_conv2d_mve_all_pieces_s8 all = {column * p->x_pitch, p->inputs, p->taps, p->dilation[1] * p->x_pitch, p->rows, p->groups};
            int_conv2d_mve_groups_s8(d, x, &all);
#endif
#if TARN_INT_MVE_ASM
        } else if (beside && ((p->taps * p->inputs) <= 16)) {
            int_conv2d_mve_edge_s8(p, x, column, d);
#endif
        } else {
            int_conv2d_mve_sides_s8(p, x, column, p->dilation[1] * p->x_pitch, d);
        }
        left -= taken;
        held_now += taken;
        column += taken * p->stride[1];
        if (held_now == p->block) {
            if (fours) {
                int_conv2d_mve_fours_s8(p, &s, w, q, y_at);
            } else {
                int_conv2d_mve_block_s8(p, &s, scratch, w, q, w_zero, y_at, held_now);
            }
            y_at += (ptrdiff_t)held_now * p->y_pitch;
            held_now = 0;
        }
    }
    return held_now;
}

TARN_API void tarn_int_conv2d_mve_line_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                          const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                          int32_t first, int32_t end, int8_t *scratch)
{
    const int32_t held = tarn_int_conv2d_mve_columns_s8(p, x, w, q, w_zero, exceptions, y + ((ptrdiff_t)first * p->y_pitch), first, end, 0,
                                                        scratch);
    tarn_int_conv2d_mve_rest_s8(p, w, q, w_zero, exceptions, y + ((ptrdiff_t)(end - held) * p->y_pitch), held, scratch);
}
