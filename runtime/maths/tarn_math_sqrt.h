/* tarn_math_sqrt.h - square root, correctly rounded, double. */
#ifndef TARN_MATH_SQRT_H
#define TARN_MATH_SQRT_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_sqrt(double x);
TARN_END_C

#endif /* TARN_MATH_SQRT_H */
