/* SPDX-License-Identifier: MIT-0
 * Codes of 16 bits, for kernels that are the same for 8: a code from a sum. */
#ifndef TARN_INT_CODE_S16_H
#define TARN_INT_CODE_S16_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef int16_t tarn_int_code_s16;
#define TARN_INT_LOWEST_S16 (-32768)
typedef tarn_wide_params tarn_int_form_s16;

/* q: the four numbers of tarn_wide.h for each slot. There are no exceptions. */
TARN_FORCE_INLINE tarn_int_code_s16 tarn_int_finish_s16(const tarn_int_form_s16 *p, const int32_t *q,
                                                        const int32_t *exceptions TARN_UNUSED, int32_t slot, int32_t sum)
{
    return (tarn_int_code_s16)tarn_wide_code(p, q + (ptrdiff_t)4 * slot, sum);
}

TARN_END_C
#endif
