/* tarn_math_acos.h - arc cosine, double. */
#ifndef TARN_MATH_ACOS_H
#define TARN_MATH_ACOS_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_acos(double x);
TARN_END_C

#endif /* TARN_MATH_ACOS_H */
