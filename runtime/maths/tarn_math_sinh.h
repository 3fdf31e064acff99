/* tarn_math_sinh.h - hyperbolic sine, double. */
#ifndef TARN_MATH_SINH_H
#define TARN_MATH_SINH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_sinh(double x);
TARN_END_C

#endif /* TARN_MATH_SINH_H */
