/* tarn_math_sinf.h - sine of radians, float. */
#ifndef TARN_MATH_SINF_H
#define TARN_MATH_SINF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_sinf(float x);
TARN_END_C

#endif /* TARN_MATH_SINF_H */
