/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv3d_f32.h"

TARN_API void tarn_conv3d_f32(const tarn_conv3d_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                              const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines)
{
    const tarn_f32 *r_at = r;
    tarn_f32 *y_at = y;
    const int32_t per_image = p->out_planes * p->out_lines;
    int32_t done;
    for (done = 0; done < (p->images * per_image); ++done) {
        const int32_t image = done / per_image;
        const int32_t plane = done % per_image / p->out_lines;
        const int32_t line = done % p->out_lines;
        int32_t row = 0;
        int32_t kp;
        for (kp = 0; kp < p->kernel_planes; ++kp) {
            const int32_t z = (plane * p->stride_planes) - p->pad_planes + (kp * p->dilation_planes);
            int32_t kl;
            for (kl = 0; kl < p->kernel_lines; ++kl) {
                const int32_t at = (line * p->stride) - p->pad + (kl * p->dilation);
                const int32_t inside = (z >= 0) && (z < p->in_planes) && (at >= 0) && (at < p->in_lines);
                lines[row] = (inside != 0) ? (x + ((ptrdiff_t)((((image * p->in_planes) + z) * p->in_lines) + at) * p->x_line)) : NULL;
                ++row;
            }
        }
        tarn_conv_line_f32(&p->line, lines, w, b, r_at, y_at, 0, p->out_pixels,
                           (done >= p->block_first) && (done < p->block_end));
        y_at += p->y_line;
        r_at = (r_at != NULL) ? (r_at + p->r_line) : NULL;
    }
}
