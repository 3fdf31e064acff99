/* tarn_math_sigmoid.h - 1 / (1 + e^-x), double. */
#ifndef TARN_MATH_SIGMOID_H
#define TARN_MATH_SIGMOID_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_sigmoid(double x);
TARN_END_C

#endif /* TARN_MATH_SIGMOID_H */
