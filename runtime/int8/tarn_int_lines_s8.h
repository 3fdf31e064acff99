/* SPDX-License-Identifier: MIT-0
 * The lines of an image of codes that lie under a kernel. */
#ifndef TARN_INT_LINES_S8_H
#define TARN_INT_LINES_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

/* Fills lines[rows] from line `at` of the image on, `dilation` lines apart: NULL outside. in_lines: of the image, `length` elements
 * each. */
TARN_API void tarn_int_lines_s8(const tarn_int_code_s8 **lines, int32_t rows, const tarn_int_code_s8 *x, int32_t at, int32_t dilation,
                                int32_t in_lines, int32_t length);

TARN_END_C
#endif
