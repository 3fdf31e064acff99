/* tarn_math_atanf.h - arc tangent, float. */
#ifndef TARN_MATH_ATANF_H
#define TARN_MATH_ATANF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_atanf(float x);
TARN_END_C

#endif /* TARN_MATH_ATANF_H */
