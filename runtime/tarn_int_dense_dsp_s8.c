/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_dsp_s8.h"
#include "tarn_int_dsp_requant.h"

TARN_API void tarn_int_dsp_outputs_s8(const tarn_requant_params *requant, int32_t inputs, int32_t outputs, const int8_t *x,
                                      const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    const tarn_int_dsp_form f = tarn_int_dsp_form_of(requant, exceptions);
    int32_t o = 0;
    while (o < outputs) {
        int32_t sums[4];
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] = q[i];
        }
        tarn_int_dsp_dense(w, x, x + inputs, sums);
        w += 4 * inputs;
        for (i = 0; i < 4 && o < outputs; ++i) {
            *y++ = tarn_int_dsp_requant(&f, o, sums[i], q[4 + i], q[8 + i]);
            ++o;
        }
        q += 12;
    }
}

TARN_API void tarn_int_dense_dsp_s8(const tarn_int_dense_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                    const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    tarn_int_dsp_outputs_s8(&p->requant, p->inputs, p->outputs, x, (const int8_t *)w, q, exceptions, y);
}
