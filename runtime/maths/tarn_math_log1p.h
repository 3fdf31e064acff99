/* tarn_math_log1p.h - log(1 + x), double. */
#ifndef TARN_MATH_LOG1P_H
#define TARN_MATH_LOG1P_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_log1p(double x);
TARN_END_C

#endif /* TARN_MATH_LOG1P_H */
