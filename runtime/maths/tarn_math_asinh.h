/* tarn_math_asinh.h - inverse hyperbolic sine, double. */
#ifndef TARN_MATH_ASINH_H
#define TARN_MATH_ASINH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_asinh(double x);
TARN_END_C

#endif /* TARN_MATH_ASINH_H */
