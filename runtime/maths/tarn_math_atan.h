/* tarn_math_atan.h - arc tangent, double. */
#ifndef TARN_MATH_ATAN_H
#define TARN_MATH_ATAN_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_atan(double x);
TARN_END_C

#endif /* TARN_MATH_ATAN_H */
