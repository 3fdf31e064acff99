/* tarn_math_atanh.h - inverse hyperbolic tangent, double. */
#ifndef TARN_MATH_ATANH_H
#define TARN_MATH_ATANH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_atanh(double x);
TARN_END_C

#endif /* TARN_MATH_ATANH_H */
