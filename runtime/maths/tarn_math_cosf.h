/* tarn_math_cosf.h - cosine of radians, float. */
#ifndef TARN_MATH_COSF_H
#define TARN_MATH_COSF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_cosf(float x);
TARN_END_C

#endif /* TARN_MATH_COSF_H */
