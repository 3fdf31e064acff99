/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mve2_few.h"

TARN_API void tarn_int_mve2_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                  int32_t count)
{
    tarn_int_mve2_outputs(s, 1, w, q, w_zero, y, pitch, count);
}
