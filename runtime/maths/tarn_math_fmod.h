/* tarn_math_fmod.h - exact remainder of x / y with the sign of x, double. */
#ifndef TARN_MATH_FMOD_H
#define TARN_MATH_FMOD_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_fmod(double x, double y);
TARN_END_C

#endif /* TARN_MATH_FMOD_H */
