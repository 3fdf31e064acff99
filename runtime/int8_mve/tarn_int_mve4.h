/* SPDX-License-Identifier: MIT-0
 * tarn_int_mve.h over weights of 4 bits: a byte holds those of two outputs for one element, from -8 to 7, the first one's in the
 * high bits. They are taken apart in registers. */
#ifndef TARN_INT_MVE4_H
#define TARN_INT_MVE4_H

#include "tarn_int_mve.h"

/* What is written for codes and derived for these weights asks by this name. */
#define TARN_INT_MVE4_ASM TARN_INT_MVE_ASM

TARN_BEGIN_C

typedef tarn_int_mve_state tarn_int_mve4_state;

/* Bytes of the weights of a multiple of four outputs, n elements each, a multiple of 16. */
#define TARN_INT_MVE4_BYTES(lanes, n) ((ptrdiff_t)(lanes) / 2 * (n))

TARN_API void tarn_int_mve4_begin(tarn_int_mve4_state *s, const tarn_requant_params *p, const int32_t *exceptions,
                                  int32_t length, int32_t outputs);

/* As tarn_int_mve_block(); w: [outputs/4][2][ceil(length/16)][16], of four outputs first 0 and 2, then 1 and 3. */
TARN_API void tarn_int_mve4_block(tarn_int_mve4_state *s, const int8_t *w, const int32_t *q);

/* As tarn_int_mve_dense(); w: [outputs/4][ceil(length/16)][2][16], of four outputs first 0 and 1, then 2 and 3. The length is at
 * most 65536. */
TARN_API void tarn_int_mve4_dense(tarn_int_mve4_state *s, const int8_t *w, const int32_t *q);

TARN_API void tarn_int_mve4_outputs(tarn_int_mve4_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                    const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count);

TARN_INLINE void tarn_int_mve4_clamp(const tarn_requant_params *p, int8_t *y, int32_t n, int32_t pitch, int32_t count)
{
    tarn_int_mve_clamp(p, y, n, pitch, count);
}

TARN_INLINE int32_t tarn_int_mve4_sum(const int8_t *x, int32_t n) { return tarn_int_mve_sum(x, n); }

TARN_FORCE_INLINE int8_t *tarn_int_mve4_copy(int8_t *d, const int8_t *x, int32_t n) { return tarn_int_mve_copy(d, x, n); }

TARN_FORCE_INLINE int8_t *tarn_int_mve4_fill(int8_t *d, int32_t code, int32_t n) { return tarn_int_mve_fill(d, code, n); }

TARN_END_C
#endif
