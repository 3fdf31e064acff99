/* tarn_math_f8e5m2.h - float8e5m2: 5 bits of exponent, 2 of mantissa. */
#ifndef TARN_MATH_F8E5M2_H
#define TARN_MATH_F8E5M2_H

#include "tarn.h"

TARN_BEGIN_C
/* Nearest, halves to even (ONNX, Cast). Out of range and infinite: the largest number if saturate is not 0, else
 * infinity. */
TARN_API uint8_t tarn_f32_to_f8e5m2(float x, uint32_t saturate);
TARN_API float tarn_f8e5m2_to_f32(uint8_t code);
TARN_END_C

#endif /* TARN_MATH_F8E5M2_H */
