/* tarn_math_pow.h - x to the power y, double. */
#ifndef TARN_MATH_POW_H
#define TARN_MATH_POW_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_pow(double x, double y);
TARN_END_C

#endif /* TARN_MATH_POW_H */
