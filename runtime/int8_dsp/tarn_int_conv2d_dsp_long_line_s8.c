/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_long_line_s8.h"
#include "tarn_int_dense_dsp_s8.h"

TARN_API void tarn_int_conv2d_dsp_long_line_s8(const tarn_int_conv2d_dsp_long_s8_params *p, const int8_t *const *x, const int32_t *w,
                                               const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                               int32_t end, int8_t *patch)
{
    int8_t *y_at = y;
    int32_t first_at = first;
    tarn_int_dense_dsp_s8_params dense;
    dense.requant = p->requant;
    dense.inputs = p->length;
    dense.outputs = p->outputs;
    y_at += (ptrdiff_t)first_at * p->y_pitch;
    for (; first_at < end; ++first_at) {
        int_conv2d_gather_s8(p, x, 0, (first_at * p->stride[1]) - p->pad[1], 1, 0, patch);
        tarn_int_dense_dsp_s8(&dense, patch, w, q, exceptions, y_at);
        y_at += p->y_pitch;
    }
}
