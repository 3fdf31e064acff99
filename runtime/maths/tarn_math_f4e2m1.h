/* tarn_math_f4e2m1.h - float4e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 with a sign, in the low 4 bits. */
#ifndef TARN_MATH_F4E2M1_H
#define TARN_MATH_F4E2M1_H

#include "tarn.h"

TARN_BEGIN_C
/* Nearest, halves to even; out of range and infinite: 6. There is no NaN: it becomes negative zero. */
TARN_API uint8_t tarn_f32_to_f4e2m1(float x);
TARN_API float tarn_f4e2m1_to_f32(uint8_t code);
TARN_END_C

#endif /* TARN_MATH_F4E2M1_H */
