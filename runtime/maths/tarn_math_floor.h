/* tarn_math_floor.h - largest integer not above x, double. */
#ifndef TARN_MATH_FLOOR_H
#define TARN_MATH_FLOOR_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API double tarn_floor(double x);
TARN_END_C

#endif /* TARN_MATH_FLOOR_H */
