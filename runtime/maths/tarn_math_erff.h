/* tarn_math_erff.h - error function, float. */
#ifndef TARN_MATH_ERFF_H
#define TARN_MATH_ERFF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_erff(float x);
TARN_END_C

#endif /* TARN_MATH_ERFF_H */
