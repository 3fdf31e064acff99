/* tarn_math_exp_avx2.h - exp of many floats. */
#ifndef TARN_MATH_EXP_AVX2_H
#define TARN_MATH_EXP_AVX2_H

#include "tarn_math_avx2.h"

#if defined(TARN_MANY_F32)

TARN_MATH_AVX2_MANY(tarn_exp_many, tarn_avx2_exp)

#endif
#endif /* TARN_MATH_EXP_AVX2_H */
