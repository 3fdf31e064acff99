/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_groups_line_s8.h"

TARN_API void tarn_int_conv2d_dsp_groups_line_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                 int32_t end, int32_t *scratch, int8_t *bytes, const int8_t **under)
{
    const int32_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t *exceptions_at = exceptions;
    int8_t *y_at = y;
    const int32_t lanes = (p->outputs + 1) / 2 * 2;
    int32_t group;
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (group = 0; group < p->groups; ++group) {
        tarn_int_conv2d_dsp_run s;
        int32_t row;
        for (row = 0; row < p->rows; ++row) {
            under[row] = (x[row] != NULL) ? (x[row] + ((ptrdiff_t)group * p->inputs)) : NULL;
        }
        tarn_int_conv2d_dsp_begin_s8(&s, p, w_at, q_at, exceptions_at, y_at, scratch, bytes);
        tarn_int_conv2d_dsp_columns_s8(&s, p, under, first, end);
        tarn_int_conv2d_dsp_end_s8(&s, p);
        w_at += TARN_INT_DSP_BYTES(lanes, p->length / 4); /* as many words */
        q_at += (ptrdiff_t)3 * lanes;
        exceptions_at = (exceptions_at != NULL) ? (exceptions_at + lanes + 1) : NULL;
        y_at += p->outputs;
    }
}
