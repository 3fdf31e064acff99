/* SPDX-License-Identifier: MIT-0
 * Takes the slice of trip number *trip along one axis out of a tensor. */
#ifndef TARN_SLICE_GET_H
#define TARN_SLICE_GET_H

#include "tarn_slice.h"

TARN_BEGIN_C

TARN_API void tarn_slice_get(const tarn_slice_params *p, const int64_t *trip, const void *whole, void *part);

TARN_END_C
#endif
