/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_dsp_halves_s8.h"
#include "tarn_int_dense_dsp_outputs.h"
#include "tarn_int_dsp_halves.h"

TARN_API void tarn_int_dense_dsp_halves_s8(const tarn_int_dense_dsp_halves_s8_params *p, const int8_t *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    const int8_t *end = x + p->inputs;
    tarn_int_dense_dsp_outputs(&p->requant, p->outputs, x, end, (const int8_t *)w, (ptrdiff_t)4 * p->inputs, q, 0, 0u, exceptions, y,
                               tarn_int_dsp_halves);
}
