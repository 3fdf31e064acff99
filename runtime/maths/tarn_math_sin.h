/* tarn_math_sin.h - sine of radians, double. */
#ifndef TARN_MATH_SIN_H
#define TARN_MATH_SIN_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_sin(double x);
TARN_END_C

#endif /* TARN_MATH_SIN_H */
