/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_convtranspose_dsp_line_s8.h"
#include "tarn_int_conv2d_dsp_run_s8.h"
#include "tarn_int_transposed.h"

TARN_API void tarn_int_convtranspose_dsp_line_s8(const tarn_int_convtranspose_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                                 int32_t *scratch, int8_t *bytes)
{
    const int8_t *lines[TARN_INT_TRANSPOSED_ROWS];
    const int32_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t lanes = (p->outputs + 1) / 2 * 2;
    const int32_t reached = tarn_int_phase_lines(x, p->rows, p->stride[0], lines);
    tarn_int_conv2d_dsp_s8_params c;
    int32_t row_phase;
    c.requant = p->requant;
    c.inputs = p->inputs;
    c.outputs = p->outputs;
    c.images = 1;
    c.in_lines = p->in_lines;
    c.in_pixels = p->in_pixels;
    c.out_lines = 1;
    c.stride[0] = 1;
    c.stride[1] = 1;
    c.dilation[0] = 1;
    c.dilation[1] = 1;
    c.pad[0] = 0;
    c.x_pitch = p->x_pitch;
    c.y_pitch = p->stride[1] * p->y_pitch;
    c.zero = p->zero;
    c.sums = 0;
    c.groups = 1;
    for (row_phase = 0; row_phase <= reached; ++row_phase) {
        int32_t phase;
        c.rows = tarn_int_phase_taps(p->rows, p->stride[0], row_phase);
        for (phase = 0; phase < p->stride[1]; ++phase) {
            const tarn_int_phase of = tarn_int_phase_of(p->taps, p->stride[1], p->pad[1], phase, first, end);
            c.length = ((c.rows * of.taps * p->inputs) + 7) / 8 * 8;
            if ((row_phase == reached) && (of.count > 0)) {
                tarn_int_conv2d_dsp_run s;
                c.taps = of.taps;
                c.pad[1] = of.pad;
                c.out_pixels = of.count;
                c.direct = (c.rows == 1) && (of.taps == 1) && (c.length == p->inputs) && (lines[0] != NULL) && (of.pad <= 0) &&
                           ((of.count - of.pad) <= p->in_pixels);
                tarn_int_conv2d_dsp_begin_s8(&s, &c, w_at, q_at, exceptions, y + ((ptrdiff_t)of.pixel * p->y_pitch), scratch, bytes);
                tarn_int_conv2d_dsp_columns_s8(&s, &c, lines, 0, of.count);
                tarn_int_conv2d_dsp_end_s8(&s, &c);
            }
            w_at += (ptrdiff_t)lanes * (c.length / 4);
            q_at += (ptrdiff_t)3 * lanes;
        }
    }
}
