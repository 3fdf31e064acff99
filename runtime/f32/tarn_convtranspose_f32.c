/* SPDX-License-Identifier: MIT-0 */
#include "tarn_convtranspose_f32.h"

/* The input plane or line that kernel element k moves to output position `at`; -1: none. */
static int32_t convtranspose_source_f32(const tarn_convtranspose_f32_params *p, int32_t axis, int32_t at, int32_t k)
{
    const int32_t moved = at + p->pad[axis] - (k * p->dilation[axis]);
    if ((moved < 0) || ((moved % p->stride[axis]) != 0) || ((moved / p->stride[axis]) >= p->in[axis])) {
        return -1;
    }
    return moved / p->stride[axis];
}

TARN_API void tarn_convtranspose_f32(const tarn_convtranspose_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                     const tarn_f32 *b, const int32_t *phases, tarn_f32 *y, const tarn_f32 **lines)
{
    tarn_f32 *y_at = y;
    const int32_t per_image = p->out[0] * p->out[1];
    int32_t done;
    for (done = 0; done < (p->images * per_image); ++done) {
        const int32_t first_plane = done / per_image * p->in[0];
        int32_t row = 0;
        int32_t kp;
        for (kp = 0; kp < p->kernel[0]; ++kp) {
            const int32_t plane = convtranspose_source_f32(p, 0, done % per_image / p->out[1], kp);
            int32_t kl;
            for (kl = 0; kl < p->kernel[1]; ++kl) {
                const int32_t line = (plane < 0) ? -1 : convtranspose_source_f32(p, 1, done % p->out[1], kl);
                lines[row] = (line < 0) ? NULL : (x + ((ptrdiff_t)(((first_plane + plane) * p->in[1]) + line) * p->x_line));
                ++row;
            }
        }
        tarn_convtranspose_line_f32(&p->line, lines, w, b, phases, y_at, 0, p->out_pixels,
                                    (done >= p->block_first) && (done < p->block_end));
        y_at += p->y_line;
    }
}
