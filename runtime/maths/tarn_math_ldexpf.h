/* tarn_math_ldexpf.h - x * 2^n, float. */
#ifndef TARN_MATH_LDEXPF_H
#define TARN_MATH_LDEXPF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_ldexpf(float x, int32_t n);
TARN_END_C

#endif /* TARN_MATH_LDEXPF_H */
