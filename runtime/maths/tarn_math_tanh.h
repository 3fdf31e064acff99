/* tarn_math_tanh.h - hyperbolic tangent, double. */
#ifndef TARN_MATH_TANH_H
#define TARN_MATH_TANH_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_tanh(double x);
TARN_END_C

#endif /* TARN_MATH_TANH_H */
