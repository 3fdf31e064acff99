/* tarn_math_rint.h - nearest integer, halves to even, double. */
#ifndef TARN_MATH_RINT_H
#define TARN_MATH_RINT_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_rint(double x);
TARN_END_C

#endif /* TARN_MATH_RINT_H */
