/* tarn_math_ceil.h - least integer not below x, double. */
#ifndef TARN_MATH_CEIL_H
#define TARN_MATH_CEIL_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_ceil(double x);
TARN_END_C

#endif /* TARN_MATH_CEIL_H */
