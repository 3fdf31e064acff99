/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_codes_s16.h"

TARN_API void tarn_int_codes_s16(const tarn_int_form_s16 *p, const int32_t *q, const int32_t *exceptions, int32_t slot,
                                 const int32_t *sums, int32_t count, tarn_int_code_s16 *y)
{
    int32_t i;
    for (i = 0; i < count; ++i) {
        y[i] = tarn_int_finish_s16(p, q, exceptions, slot, sums[i]);
    }
}
