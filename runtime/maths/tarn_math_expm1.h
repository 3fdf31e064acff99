/* tarn_math_expm1.h - e^x - 1, double. */
#ifndef TARN_MATH_EXPM1_H
#define TARN_MATH_EXPM1_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_expm1(double x);
TARN_END_C

#endif /* TARN_MATH_EXPM1_H */
