/* tarn_math_log.h - natural logarithm, double. */
#ifndef TARN_MATH_LOG_H
#define TARN_MATH_LOG_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_log(double x);
TARN_END_C

#endif /* TARN_MATH_LOG_H */
