/* tarn_math_exp.h - e to the power x, double. */
#ifndef TARN_MATH_EXP_H
#define TARN_MATH_EXP_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_exp(double x);
TARN_END_C

#endif /* TARN_MATH_EXP_H */
