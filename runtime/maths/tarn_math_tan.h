/* tarn_math_tan.h - tangent of radians, double. */
#ifndef TARN_MATH_TAN_H
#define TARN_MATH_TAN_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_tan(double x);
TARN_END_C

#endif /* TARN_MATH_TAN_H */
