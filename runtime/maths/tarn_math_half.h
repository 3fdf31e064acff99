/* tarn_math_half.h - float16 (IEEE binary16) as its bits. */
#ifndef TARN_MATH_HALF_H
#define TARN_MATH_HALF_H

#include "tarn.h"

TARN_BEGIN_C
/* Nearest, halves to even; infinity out of range. NaN keeps its sign and loses its payload. */
TARN_API uint16_t tarn_f32_to_f16(float x);
TARN_API float tarn_f16_to_f32(uint16_t h);
TARN_END_C

#endif /* TARN_MATH_HALF_H */
