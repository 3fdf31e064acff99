/* SPDX-License-Identifier: MIT-0
 * Average pool of codes, channels last, whole images. */
#ifndef TARN_INT_AVERAGEPOOL_S8_H
#define TARN_INT_AVERAGEPOOL_S8_H

#include "tarn_int_averagepool_line_s8.h"

TARN_BEGIN_C

/* q: the numbers of tarn_int_code_s8.h for each count; lines: room for `rows` pointers. A pixel's inputs are read for the last time before the next is written. */
TARN_API void tarn_int_averagepool_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                      const int32_t *exceptions, tarn_int_code_s8 *y, const tarn_int_code_s8 **lines);

TARN_END_C
#endif
