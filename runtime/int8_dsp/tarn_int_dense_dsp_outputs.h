/* SPDX-License-Identifier: MIT-0
 * Fully connected layers over weights of 8, 4 and 2 bits: four outputs at a time. */
#ifndef TARN_INT_DENSE_DSP_OUTPUTS_H
#define TARN_INT_DENSE_DSP_OUTPUTS_H

#include "tarn_requant.h"

typedef void (*tarn_int_dense_dsp_products)(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

/* quad: bytes of four outputs' weights; q: {begin, m, c} times four outputs, and so on; taken: what the sums of outputs in `higher`, a
 * bit for each of four, have too much. products: constant wherever this is called, so that the call stands in line. */
TARN_FORCE_INLINE void tarn_int_dense_dsp_outputs(const tarn_requant_params *requant, int32_t outputs, const int8_t *x, const int8_t *end,
                                                  const int8_t *w, ptrdiff_t quad, const int32_t *q, int32_t taken, uint32_t higher,
                                                  const int32_t *exceptions, int8_t *y, tarn_int_dense_dsp_products products)
{
    const int32_t *q_at = q;
    const int8_t *w_at = w;
    int32_t o = 0;
    while (o < outputs) {
        int32_t sums[4];
        int32_t i;
        /* Not a loop: gcc 12 turns one into a constant that no instruction of a Cortex-M55 holds. */
        sums[0] = q_at[0] - (((higher & 1u) != 0u) ? taken : 0);
        sums[1] = q_at[1] - (((higher & 2u) != 0u) ? taken : 0);
        sums[2] = q_at[2] - (((higher & 4u) != 0u) ? taken : 0);
        sums[3] = q_at[3] - (((higher & 8u) != 0u) ? taken : 0);
        products(w_at, x, end, sums);
        for (i = 0; (i < 4) && (o < outputs); ++i) {
            y[o] = (int8_t)tarn_requant(requant, exceptions, o, sums[i], q_at[4 + i], q_at[8 + i]);
            ++o;
        }
        w_at += quad;
        q_at += 12;
    }
}

#endif
