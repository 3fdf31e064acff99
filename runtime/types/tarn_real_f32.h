/* SPDX-License-Identifier: MIT-0
 * Real numbers that elements are weighted and summed as: for floating-point types those they are computed with anyway. */
#ifndef TARN_REAL_F32_H
#define TARN_REAL_F32_H

#include "tarn_types_f32.h"

typedef tarn_acc_f32 tarn_real_f32;

#define tarn_real_load_f32(stored) tarn_load_f32(stored)
#define tarn_real_store_f32(value) tarn_store_f32(value)

#endif
