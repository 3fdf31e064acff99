/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_line_s8.h"

TARN_API void tarn_int_conv2d_dsp_line_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                          int32_t end, int32_t *scratch, int8_t *bytes)
{
    tarn_int_conv2d_dsp_run s;
    tarn_int_conv2d_dsp_begin_s8(&s, p, w, q, exceptions, y + ((ptrdiff_t)first * p->y_pitch), scratch, bytes);
    tarn_int_conv2d_dsp_columns_s8(&s, p, x, first, end);
    tarn_int_conv2d_dsp_end_s8(&s, p);
}
