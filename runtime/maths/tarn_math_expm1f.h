/* tarn_math_expm1f.h - e^x - 1, float. */
#ifndef TARN_MATH_EXPM1F_H
#define TARN_MATH_EXPM1F_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_expm1f(float x);
TARN_END_C

#endif /* TARN_MATH_EXPM1F_H */
