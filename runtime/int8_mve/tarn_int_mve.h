/* SPDX-License-Identifier: MIT-0
 * Sixteen products of codes at a time for processors with the M-profile vector extension (Cortex-M55), in plain C elsewhere. Sums
 * stay in registers from the first product to the code. */
#ifndef TARN_INT_MVE_H
#define TARN_INT_MVE_H

#include "tarn_int_mve_asm.h"
#include "tarn_requant.h"

TARN_BEGIN_C

/* `closer` of a form, which see: with a mask of no bits every value is looked at, so that its sum is kept. */
#define TARN_INT_CLOSER(mask) (((mask) == -1) ? 0 : (((mask) == 0) ? 1 : (mask)))

/* Outputs of up to three patches. The assembly counts on the order of the members up to `sums`. */
typedef struct {
    const int8_t *x[3];         /* the patches; the first stands for those that are not there */
    int32_t length;             /* of a patch */
    int8_t *y, *y_end;          /* outputs of the first patch */
    int32_t second, third;      /* bytes from its outputs to those of the others, 0 for those that are not there */
    int32_t pre, down;          /* of the form; down: the negative post */
    int32_t closer;             /* 0: no zones, and weights without zero points; the mask, or 1: sums are kept too */
    int32_t quad;               /* bytes of the weights of four outputs */
    const int32_t *w_zero;      /* NULL, or for each output the negative zero point of its weights */
    int32_t x_sums[3];          /* of the patches, where w_zero is */
    int32_t sums[12];           /* [3 patches][4 outputs] */
    const tarn_requant_params *p;
    const int32_t *exceptions;
    const int8_t *y_first;      /* where output `first` stands */
    int32_t first, channel;     /* channel: the number of output 0 among the exceptions */
    int32_t outputs;            /* in all */
    int32_t mask;
} tarn_int_mve_state;

/* Bytes of the weights of a multiple of four outputs, n elements each, a multiple of 16. */
#define TARN_INT_MVE_BYTES(lanes, n) ((ptrdiff_t)(lanes) * (n))

/* Sets what all patches share. */
TARN_API void tarn_int_mve_begin(tarn_int_mve_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                 int32_t length, int32_t outputs);

/* Writes the outputs [y, y_end), a multiple of four, of three patches. w: [outputs/4][2][ceil(length/16)][2][16]: of four outputs
 * first 0 and 2, then 1 and 3, zero beyond the length; q: {begin, m, c} times four outputs, where
 * begin stands in the order 0, 2, 1, 3. */
TARN_API void tarn_int_mve_block(tarn_int_mve_state *s, const int8_t *w, const int32_t *q);

/* The same for the first patch alone. w: [outputs/4][ceil(length/16)][4][16]. */
TARN_API void tarn_int_mve_dense(tarn_int_mve_state *s, const int8_t *w, const int32_t *q);

/* All outputs of `count` patches, `pitch` bytes apart; blocks: three patches at a time, else one. w and q as above, zero beyond the
 * last output; w_zero: NULL, or the negative zero points. */
TARN_API void tarn_int_mve_outputs(tarn_int_mve_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                   const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count);

/* Writes four outputs at y of the first `count` patches from s->sums, but none that is not there. Sums need no longer be kept. */
TARN_API void tarn_int_mve_near(tarn_int_mve_state *s, int8_t *y, const int32_t *q, int32_t count);

/* Narrows n codes of each of `count` pixels, `pitch` bytes apart, that were clamped to int8 only. */
TARN_API void tarn_int_mve_clamp(const tarn_requant_params *p, int8_t *y, int32_t n, int32_t pitch, int32_t count);

TARN_API int32_t tarn_int_mve_sum(const int8_t *x, int32_t n);

/* Copies n codes; returns the end of the copy. */
TARN_FORCE_INLINE int8_t *tarn_int_mve_copy(int8_t *d, const int8_t *x, int32_t n)
{
    int8_t *end = d + n;
#if TARN_INT_MVE_ASM
    __asm__ volatile("wlstp.8 lr,%2,1f\n"
                     "2:\n\tvldrb.8 q0,[%1],#16\n\tvstrb.8 q0,[%0],#16\n\tletp lr,2b\n1:"
                     : "+r"(d), "+r"(x)
                     : "r"(n)
                     : "lr", "q0", "memory");
#else
    while (d != end) {
        *d++ = *x++;
    }
#endif
    return end;
}

/* The same with one code. */
TARN_FORCE_INLINE int8_t *tarn_int_mve_fill(int8_t *d, int32_t code, int32_t n)
{
    int8_t *end = d + n;
#if TARN_INT_MVE_ASM
    __asm__ volatile("vdup.8 q0,%1\n\twlstp.8 lr,%2,1f\n"
                     "2:\n\tvstrb.8 q0,[%0],#16\n\tletp lr,2b\n1:"
                     : "+r"(d)
                     : "r"(code), "r"(n)
                     : "lr", "q0", "memory");
#else
    while (d != end) {
        *d++ = (int8_t)code;
    }
#endif
    return end;
}

TARN_END_C
#endif
