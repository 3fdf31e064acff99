/* SPDX-License-Identifier: MIT-0
 * Means of codes over whole images, channels last. */
#ifndef TARN_INT_GLOBAL_AVERAGE_S8_H
#define TARN_INT_GLOBAL_AVERAGE_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_int_form_s8 requant;
    int32_t images, pixels, channels;
    int32_t x_pitch, y_pitch;           /* elements from one pixel to the next; pixels follow each other */
} tarn_int_global_average_s8_params;

/* q: the numbers of tarn_int_code_s8.h. A pixel's inputs are read for the last time before the next is written. */
TARN_API void tarn_int_global_average_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                         const int32_t *exceptions, tarn_int_code_s8 *y);

TARN_END_C
#endif
