/* tarn_math_log1pf.h - log(1 + x), float. */
#ifndef TARN_MATH_LOG1PF_H
#define TARN_MATH_LOG1PF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_log1pf(float x);
TARN_END_C

#endif /* TARN_MATH_LOG1PF_H */
