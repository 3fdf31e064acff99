/* SPDX-License-Identifier: MIT-0
 * Of tarn_int_matmul_mve_s8.c: what its loops go over, and the codes of lines that lie in a zone. */
#ifndef TARN_INT_MATMUL_MVE_STATE_S8_H
#define TARN_INT_MATMUL_MVE_STATE_S8_H

#include "tarn_int_matmul_mve_s8.h"
#include "tarn_requant_floats.h"

/* Four columns and some rows. The assembly counts on the order of the members up to `zero`. */
typedef struct {
    const int8_t *x[3];         /* rows of a; the first stands for those that are not there */
    int32_t length;             /* codes of a column; of one that is gathered: whole sixteens */
    const int8_t *b;
    int32_t across;             /* bytes from a column to the next */
    int32_t x_step, y_step;     /* from three rows, behind what was read of them, to the next; of outputs */
    int8_t *y;
    int32_t second, third;      /* bytes from the first row of y to the others */
    int32_t threes;             /* rows in threes */
    const int32_t *row_begin;   /* what the zero point of b takes from each row */
    int32_t pre, down;          /* of the form; down: the negative post */
    int32_t zones;              /* the mask, 0: there are none */
    int32_t begin[4];           /* what the zero point of a takes from columns 0, 2, 1, 3 */
    int32_t m, c;               /* of the form */
    int32_t step, rest;         /* of a gathered column: bytes to the next sixteen codes, and codes behind the last sixteen */
    uint16_t even[8], odd[8];   /* where every second code of sixteen lies, and the others */
    uint16_t even_rest[8], odd_rest[8]; /* and of those behind: the first for what is not there */
    int32_t sums[12], lines[12]; /* [3 rows][4 columns], and what the form makes of them before the shift */
    int32_t least, most;        /* lines beyond are those of the first and the last code: no zone there counts */
    int32_t all, a_minus;       /* what the zero points take from every sum, and the negative one of a */
    const uint16_t *offsets;    /* of a column of no more than sixteen codes: even and odd */
    float scale;                /* tarn_requant_scale() */
    float unit;                 /* of the form, 0: it has none, or vectors have no floats */
    int32_t zero;
    const tarn_requant_params *requant;
} int_matmul_mve_state_s8;

#if TARN_INT_MVE_ASM

/* Codes of lines that lie in a zone; four bits each, eight of them in `eight`. */
static void int_matmul_mve_near_s8(const int_matmul_mve_state_s8 *s, int8_t *y, uint32_t eight, uint32_t four)
{
    uint32_t bits = eight;
    int32_t first = 0;
    for (;;) {
        int32_t i;
        if (bits == 0U) {
            if (first != 0) {
                break;
            }
            bits = four;
            first = 8;
            continue;
        }
        i = first + (__builtin_ctz(bits) / 4);
        bits &= bits - 1U;
        bits &= ~(7U << (4 * (i - first)));
        y[((i < 4) ? 0 : (i < 8) ? s->second : s->third) + (i & 3)] =
            (int8_t)tarn_requant_near_floats(s->requant, s->scale, s->sums[i], s->lines[i], s->m);
    }
}

#endif

#endif
