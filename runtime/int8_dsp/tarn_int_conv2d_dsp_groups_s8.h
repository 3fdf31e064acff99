/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_dsp_s8 for several groups. */
#ifndef TARN_INT_CONV2D_DSP_GROUPS_S8_H
#define TARN_INT_CONV2D_DSP_GROUPS_S8_H

#include "tarn_int_conv2d_dsp_run_s8.h"

TARN_BEGIN_C

/* w and q: those of tarn_int_conv2d_dsp_s8 for every group, one after the other. exceptions: where those of each output begin, counted
 * from the group's own first such number, an even number of outputs and the end for each group; then as in tarn_requant.h. lines:
 * room for twice `rows` pointers; the others as for tarn_int_conv2d_dsp_s8. */
TARN_API void tarn_int_conv2d_dsp_groups_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                            const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                            int8_t *bytes, const int8_t **lines);

TARN_END_C
#endif
