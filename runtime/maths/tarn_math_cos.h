/* tarn_math_cos.h - cosine of radians, double. */
#ifndef TARN_MATH_COS_H
#define TARN_MATH_COS_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_cos(double x);
TARN_END_C

#endif /* TARN_MATH_COS_H */
