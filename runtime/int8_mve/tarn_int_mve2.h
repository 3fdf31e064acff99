/* SPDX-License-Identifier: MIT-0
 * tarn_int_mve.h over weights of 2 bits: a byte holds those of four outputs for one element, from the high bits down outputs 0, 2, 1
 * and 3. They are taken apart in registers. */
#ifndef TARN_INT_MVE2_H
#define TARN_INT_MVE2_H

#include "tarn_int_mve.h"

/* What is written for codes and derived for these weights asks by this name. */
#define TARN_INT_MVE2_ASM TARN_INT_MVE_ASM

TARN_BEGIN_C

typedef tarn_int_mve_state tarn_int_mve2_state;

/* Bytes of the weights of a multiple of four outputs, n elements each, a multiple of 16. */
#define TARN_INT_MVE2_BYTES(lanes, n) ((ptrdiff_t)(lanes) / 4 * (n))

TARN_API void tarn_int_mve2_begin(tarn_int_mve2_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                  int32_t length, int32_t outputs);

/* As tarn_int_mve_block(); w: [outputs/4][ceil(length/16)][16], weights from -2 to 1. */
TARN_API void tarn_int_mve2_block(tarn_int_mve2_state *s, const int8_t *w, const int32_t *q);

/* As tarn_int_mve_dense(); w: the same, but weights of outputs 1, 2 and 3 are 2 higher. The length is at most 65536. */
TARN_API void tarn_int_mve2_dense(tarn_int_mve2_state *s, const int8_t *w, const int32_t *q);

TARN_API void tarn_int_mve2_outputs(tarn_int_mve2_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                    const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count);

TARN_INLINE void tarn_int_mve2_clamp(const tarn_requant_params *p, int8_t *y, int32_t n, int32_t pitch, int32_t count)
{
    tarn_int_mve_clamp(p, y, n, pitch, count);
}

TARN_INLINE int32_t tarn_int_mve2_sum(const int8_t *x, int32_t n) { return tarn_int_mve_sum(x, n); }

TARN_FORCE_INLINE int8_t *tarn_int_mve2_copy(int8_t *d, const int8_t *x, int32_t n) { return tarn_int_mve_copy(d, x, n); }

TARN_FORCE_INLINE int8_t *tarn_int_mve2_fill(int8_t *d, int32_t code, int32_t n) { return tarn_int_mve_fill(d, code, n); }

TARN_END_C
#endif
