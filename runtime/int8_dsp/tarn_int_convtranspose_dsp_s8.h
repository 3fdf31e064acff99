/* SPDX-License-Identifier: MIT-0
 * Transposed convolutions for processors with pairs of 16-bit products: whole images. */
#ifndef TARN_INT_CONVTRANSPOSE_DSP_S8_H
#define TARN_INT_CONVTRANSPOSE_DSP_S8_H

#include "tarn_int_convtranspose_dsp_line_s8.h"

TARN_BEGIN_C

/* lines: room for `rows` pointers; the others as for tarn_int_convtranspose_dsp_line_s8. */
TARN_API void tarn_int_convtranspose_dsp_s8(const tarn_int_convtranspose_dsp_s8_params *p, const int8_t *x, const int32_t *w, const int32_t *q,
                                            const int32_t *exceptions, int8_t *y, int32_t *scratch, int8_t *bytes, const int8_t **lines);

TARN_END_C
#endif
