/* tarn_math_acosh.h - inverse hyperbolic cosine, double. */
#ifndef TARN_MATH_ACOSH_H
#define TARN_MATH_ACOSH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_acosh(double x);
TARN_END_C

#endif /* TARN_MATH_ACOSH_H */
