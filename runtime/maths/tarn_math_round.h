/* tarn_math_round.h - nearest integer, halves away from zero, double. */
#ifndef TARN_MATH_ROUND_H
#define TARN_MATH_ROUND_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_round(double x);
TARN_END_C

#endif /* TARN_MATH_ROUND_H */
