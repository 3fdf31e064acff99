/* SPDX-License-Identifier: MIT-0
 * Puts a slice into a tensor, at the place of trip number *trip along one axis. */
#ifndef TARN_SLICE_PUT_H
#define TARN_SLICE_PUT_H

#include "tarn_slice.h"

TARN_BEGIN_C

TARN_API void tarn_slice_put(const tarn_slice_params *p, const int64_t *trip, const void *part, void *whole);

TARN_END_C
#endif
