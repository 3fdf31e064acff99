/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_f32.h"
#include "tarn_pool_lines_f32.h"

TARN_FORCE_INLINE void maxpool_line_f32(const tarn_pool_params *p, const tarn_f32 **lines, tarn_f32 *y, int32_t plane, int32_t line)
{
    (void)plane;
    (void)line;
    tarn_maxpool_line_f32(&p->line, lines, y, 0, p->out_pixels);
}

TARN_API void tarn_maxpool_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, const tarn_f32 **lines)
{
    tarn_pool_lines_f32(p, x, y, lines, maxpool_line_f32);
}
