/* tarn_math_f8e4m3fnuz.h - float8e4m3fnuz: 4 bits of exponent, 3 of mantissa, no infinity and no negative zero. */
#ifndef TARN_MATH_F8E4M3FNUZ_H
#define TARN_MATH_F8E4M3FNUZ_H

#include "tarn.h"

TARN_BEGIN_C
/* Nearest, halves to even (ONNX, Cast). Out of range and infinite: the largest number if saturate is not 0, else NaN.
 */
TARN_API uint8_t tarn_f32_to_f8e4m3fnuz(float x, uint32_t saturate);
TARN_API float tarn_f8e4m3fnuz_to_f32(uint8_t code);
TARN_END_C

#endif /* TARN_MATH_F8E4M3FNUZ_H */
