/* tarn_math_atanhf.h - inverse hyperbolic tangent, float. */
#ifndef TARN_MATH_ATANHF_H
#define TARN_MATH_ATANHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_atanhf(float x);
TARN_END_C

#endif /* TARN_MATH_ATANHF_H */
