/* tarn_math_sqrtf.h - square root, correctly rounded, float. */
#ifndef TARN_MATH_SQRTF_H
#define TARN_MATH_SQRTF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_sqrtf(float x);
TARN_END_C

#endif /* TARN_MATH_SQRTF_H */
