/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_line_w8_f32.h"

TARN_API void tarn_conv_line_w8_f32(const tarn_conv_line_coded_f32_params *p, const tarn_f32 *const *rows, const uint8_t *w,
                                    const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                    int32_t first, int32_t end, int32_t block)
{
    tarn_conv_line_coded_f32(TARN_CODED_W8, p, rows, w, scale, zero, b, r, y, first, end, block);
}
