/* tarn_math_asin.h - arc sine, double. */
#ifndef TARN_MATH_ASIN_H
#define TARN_MATH_ASIN_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_asin(double x);
TARN_END_C

#endif /* TARN_MATH_ASIN_H */
