/* SPDX-License-Identifier: MIT-0
 * Codes of 8 bits, for kernels that are the same for 16: a code from a sum. */
#ifndef TARN_INT_CODE_S8_H
#define TARN_INT_CODE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef int8_t tarn_int_code_s8;
#define TARN_INT_LOWEST_S8 (-128)
typedef tarn_requant_params tarn_int_form_s8;

/* q: {begin, m, c} for each slot. */
TARN_FORCE_INLINE tarn_int_code_s8 tarn_int_finish_s8(const tarn_int_form_s8 *p, const int32_t *q, const int32_t *exceptions,
                                                      int32_t slot, int32_t sum)
{
    const int32_t *q_at = q;
    q_at += (ptrdiff_t)3 * slot;
    return (tarn_int_code_s8)tarn_requant(p, exceptions, slot, q_at[0] + sum, q_at[1], q_at[2]);
}

TARN_END_C
#endif
