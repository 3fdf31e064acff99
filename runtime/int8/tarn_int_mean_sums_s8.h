/* SPDX-License-Identifier: MIT-0
 * tarn_int_mean_s8 of one image, as sums that take in one line after the other. */
#ifndef TARN_INT_MEAN_SUMS_S8_H
#define TARN_INT_MEAN_SUMS_S8_H

#include "tarn_int_mean_s8.h"

TARN_BEGIN_C

/* sums: one per channel. */
TARN_API void tarn_int_mean_sums_s8_begin(const tarn_int_mean_s8_params *p, int32_t *sums);
TARN_API void tarn_int_mean_sums_s8_add(const tarn_int_mean_s8_params *p, const int8_t *x, int32_t pixels, int32_t *sums);
TARN_API void tarn_int_mean_sums_s8_finish(const tarn_int_mean_s8_params *p, const int32_t *sums, float *y);

TARN_END_C
#endif
