/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_sums_s8.h"
#include "tarn_int_add_line_s8.h"

TARN_API void tarn_int_global_sums_s8_begin(const tarn_int_global_average_s8_params *p, int32_t *sums)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        sums[c] = 0;
    }
}

TARN_API void tarn_int_global_sums_s8_add(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, int32_t pixels,
                                             int32_t *sums)
{
    tarn_int_add_line_s8(sums, x, p->channels, pixels, p->x_pitch);
}

TARN_API void tarn_int_global_sums_s8_finish(const tarn_int_global_average_s8_params *p, const int32_t *q,
                                                const int32_t *exceptions, const int32_t *sums, tarn_int_code_s8 *y)
{
    tarn_int_codes_s8(&p->requant, q, exceptions, 0, sums, p->channels, y);
}
