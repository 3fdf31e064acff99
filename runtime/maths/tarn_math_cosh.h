/* tarn_math_cosh.h - hyperbolic cosine, double. */
#ifndef TARN_MATH_COSH_H
#define TARN_MATH_COSH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_cosh(double x);
TARN_END_C

#endif /* TARN_MATH_COSH_H */
