/* SPDX-License-Identifier: MIT-0
 * Narrows codes to what their layer allows, for kernels that clamp to int8 only. */
#ifndef TARN_INT_CLAMP_S8_H
#define TARN_INT_CLAMP_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

/* y: `pixels` of `channels` codes each, `pitch` from one to the next. Does nothing where int8 is what is allowed. */
TARN_API void tarn_int_clamp_s8(const tarn_requant_params *p, int8_t *y, int32_t pixels, int32_t channels, int32_t pitch);

TARN_END_C
#endif
