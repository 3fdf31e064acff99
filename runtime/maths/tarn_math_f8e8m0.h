/* tarn_math_f8e8m0.h - float8e8m0: a power of two, the exponent field of a float. */
#ifndef TARN_MATH_F8E8M0_H
#define TARN_MATH_F8E8M0_H

#include "tarn.h"

TARN_BEGIN_C
/* round is 0: down, towards zero; 1: up, away from zero; 2: nearest, halves up (ONNX, Cast, round_mode). The sign of x
 * is dropped. Out of range (2^-127 to 2^127, with zero and infinity): the nearer end if saturate is not 0, else NaN. */
TARN_API uint8_t tarn_f32_to_f8e8m0(float x, uint32_t saturate, uint32_t round);
TARN_API float tarn_f8e8m0_to_f32(uint8_t code);
TARN_END_C

#endif /* TARN_MATH_F8E8M0_H */
