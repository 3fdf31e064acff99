/* tarn_math_trunc.h - integer part, double. */
#ifndef TARN_MATH_TRUNC_H
#define TARN_MATH_TRUNC_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_trunc(double x);
TARN_END_C

#endif /* TARN_MATH_TRUNC_H */
