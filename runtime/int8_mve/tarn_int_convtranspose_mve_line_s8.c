/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_convtranspose_mve_line_s8.h"
#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_transposed.h"

TARN_API void tarn_int_convtranspose_mve_line_s8(const tarn_int_convtranspose_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                                 int8_t *scratch)
{
    const int8_t *lines[TARN_INT_TRANSPOSED_ROWS];
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t lanes = (p->outputs + 3) / 4 * 4;
    const int32_t reached = tarn_int_phase_lines(x, p->rows, p->stride[0], lines);
    tarn_int_conv2d_mve_s8_params c;
    int32_t row_phase;
    c.requant = p->requant;
    c.groups = 1;
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
    c.block = p->block;
    for (row_phase = 0; row_phase <= reached; ++row_phase) {
        int32_t phase;
        c.rows = tarn_int_phase_taps(p->rows, p->stride[0], row_phase);
        for (phase = 0; phase < p->stride[1]; ++phase) {
            int32_t padded;
            const tarn_int_phase of = tarn_int_phase_of(p->taps, p->stride[1], p->pad[1], phase, first, end);
            if ((row_phase == reached) && (of.count > 0)) {
                c.taps = of.taps;
                c.pad[1] = of.pad;
                c.out_pixels = of.count;
                tarn_int_conv2d_mve_line_s8(&c, lines, w_at, q_at, NULL, exceptions, y + ((ptrdiff_t)of.pixel * p->y_pitch), 0, of.count,
                                            scratch);
            }
            padded = ((c.rows * of.taps * p->inputs) + 15) / 16 * 16;
            w_at += (ptrdiff_t)lanes * padded;
            q_at += (ptrdiff_t)3 * lanes;
        }
    }
}
