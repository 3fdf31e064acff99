/* tarn_math_softplus.h - log(1 + e^x), double. */
#ifndef TARN_MATH_SOFTPLUS_H
#define TARN_MATH_SOFTPLUS_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_softplus(double x);
TARN_END_C

#endif /* TARN_MATH_SOFTPLUS_H */
