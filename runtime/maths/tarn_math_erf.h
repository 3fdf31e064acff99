/* tarn_math_erf.h - error function, double. */
#ifndef TARN_MATH_ERF_H
#define TARN_MATH_ERF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_erf(double x);
TARN_END_C

#endif /* TARN_MATH_ERF_H */
