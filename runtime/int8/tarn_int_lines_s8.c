/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_lines_s8.h"

TARN_SMALL TARN_API void tarn_int_lines_s8(const tarn_int_code_s8 **lines, int32_t rows, const tarn_int_code_s8 *x, int32_t at, int32_t dilation,
                                int32_t in_lines, int32_t length)
{
    int32_t at_at = at;
    int32_t row;
    for (row = 0; row < rows; ++row) {
        lines[row] = ((at_at >= 0) && (at_at < in_lines)) ? (x + ((ptrdiff_t)at_at * length)) : NULL;
        at_at += dilation;
    }
}
