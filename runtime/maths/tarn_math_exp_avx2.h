/* tarn_math_exp_avx2.h - exp of many floats. */
#ifndef TARN_MATH_EXP_AVX2_H
#define TARN_MATH_EXP_AVX2_H

#include "tarn_math_avx2.h"

#if TARN_USE_ASM && defined(__AVX2__) && defined(__FMA__) && !defined(TARN_USE_LIBM)

TARN_MATH_AVX2_MANY(tarn_exp_many, tarn_avx2_exp)

#endif
#endif /* TARN_MATH_EXP_AVX2_H */
