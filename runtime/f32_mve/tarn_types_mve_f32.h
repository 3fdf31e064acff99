/* SPDX-License-Identifier: MIT-0
 * float32 as kernels named _mve_f32 name it: their headers and their drivers over whole images are those of _f32 with the
 * suffix replaced, what they call is written for vectors of four (tarn_fours_mve_f32.h). */
#ifndef TARN_TYPES_MVE_F32_H
#define TARN_TYPES_MVE_F32_H

#include "tarn.h"

typedef float tarn_mve_f32;
typedef float tarn_acc_mve_f32;

#endif
