/* tarn_math_exp2f.h - 2 to the power x, float. */
#ifndef TARN_MATH_EXP2F_H
#define TARN_MATH_EXP2F_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_exp2f(float x);
TARN_END_C

#endif /* TARN_MATH_EXP2F_H */
