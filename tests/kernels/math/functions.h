/* The functions under test, as lists of X(name, reference, limit in ulp, first, last): the function is tarn_<name>, the
 * reference one of a wider type, and first..last the arguments that a network would give it (for the benchmark). */
#ifndef TARN_TEST_FUNCTIONS_H
#define TARN_TEST_FUNCTIONS_H

#include "tarn_math_acos.h"
#include "tarn_math_acosf.h"
#include "tarn_math_acosh.h"
#include "tarn_math_acoshf.h"
#include "tarn_math_asin.h"
#include "tarn_math_asinf.h"
#include "tarn_math_asinh.h"
#include "tarn_math_asinhf.h"
#include "tarn_math_atan.h"
#include "tarn_math_atan2f.h"
#include "tarn_math_atanf.h"
#include "tarn_math_atanh.h"
#include "tarn_math_atanhf.h"
#include "tarn_math_ceil.h"
#include "tarn_math_ceilf.h"
#include "tarn_math_cos.h"
#include "tarn_math_cosf.h"
#include "tarn_math_cosh.h"
#include "tarn_math_coshf.h"
#include "tarn_math_erf.h"
#include "tarn_math_erfcf.h"
#include "tarn_math_erff.h"
#include "tarn_math_exp.h"
#include "tarn_math_exp2f.h"
#include "tarn_math_expf.h"
#include "tarn_math_expm1.h"
#include "tarn_math_expm1f.h"
#include "tarn_math_floor.h"
#include "tarn_math_floorf.h"
#include "tarn_math_fmod.h"
#include "tarn_math_fmodf.h"
#include "tarn_math_log.h"
#include "tarn_math_log1p.h"
#include "tarn_math_log1pf.h"
#include "tarn_math_log2f.h"
#include "tarn_math_logf.h"
#include "tarn_math_pow.h"
#include "tarn_math_powf.h"
#include "tarn_math_rint.h"
#include "tarn_math_rintf.h"
#include "tarn_math_round.h"
#include "tarn_math_roundf.h"
#include "tarn_math_sigmoid.h"
#include "tarn_math_sigmoidf.h"
#include "tarn_math_sin.h"
#include "tarn_math_sinf.h"
#include "tarn_math_sinh.h"
#include "tarn_math_sinhf.h"
#include "tarn_math_softplus.h"
#include "tarn_math_softplusf.h"
#include "tarn_math_sqrt.h"
#include "tarn_math_sqrtf.h"
#include "tarn_math_tan.h"
#include "tarn_math_tanf.h"
#include "tarn_math_tanh.h"
#include "tarn_math_tanhf.h"
#include "tarn_math_trunc.h"
#include "tarn_math_truncf.h"

#define TARN_UNARY_F32(X)                       \
  X(expf, exp, 0.75, -10, 10)                   \
  X(exp2f, exp2, 0.75, -10, 10)                 \
  X(expm1f, expm1, 0.75, -5, 1)                 \
  X(logf, log, 0.75, 0.01, 100)                 \
  X(log1pf, log1p, 0.75, -0.5, 10)              \
  X(log2f, log2, 0.75, 0.01, 100)               \
  X(sigmoidf, reference_sigmoid, 0.75, -8, 8)   \
  X(softplusf, reference_softplus, 0.75, -8, 8) \
  X(tanhf, tanh, 0.75, -4, 4)                   \
  X(erff, erf, 0.75, -3, 3)                     \
  X(erfcf, erfc, 0.75, -3, 3)                   \
  X(sinf, sin, 0.75, -10, 10)                   \
  X(cosf, cos, 0.75, -10, 10)                   \
  X(tanf, tan, 1.0, -10, 10)                    \
  X(asinf, asin, 0.75, -1, 1)                   \
  X(acosf, acos, 0.75, -1, 1)                   \
  X(atanf, atan, 0.75, -4, 4)                   \
  X(sinhf, sinh, 0.75, -4, 4)                   \
  X(coshf, cosh, 0.75, -4, 4)                   \
  X(asinhf, asinh, 0.75, -4, 4)                 \
  X(acoshf, acosh, 0.75, 1, 10)                 \
  X(atanhf, atanh, 0.75, -0.99, 0.99)           \
  X(sqrtf, sqrt, 0.5, 0, 100)                   \
  X(floorf, floor, 0, -100, 100)                \
  X(ceilf, ceil, 0, -100, 100)                  \
  X(truncf, trunc, 0, -100, 100)                \
  X(rintf, rint, 0, -100, 100)                  \
  X(roundf, round, 0, -100, 100)

#define TARN_UNARY_F64(X)                     \
  X(exp, expl, 0.6, -10, 10)                  \
  X(expm1, expm1l, 0.6, -5, 1)                \
  X(log, logl, 0.6, 0.01, 100)                \
  X(log1p, log1pl, 0.6, -0.5, 10)             \
  X(sigmoid, reference_sigmoid, 0.6, -8, 8)   \
  X(softplus, reference_softplus, 0.6, -8, 8) \
  X(tanh, tanhl, 0.6, -4, 4)                  \
  X(erf, erfl, 0.6, -3, 3)                    \
  X(sin, sinl, 0.6, -10, 10)                  \
  X(cos, cosl, 0.6, -10, 10)                  \
  X(tan, tanl, 0.6, -10, 10)                  \
  X(asin, asinl, 0.6, -1, 1)                  \
  X(acos, acosl, 0.6, -1, 1)                  \
  X(atan, atanl, 0.6, -4, 4)                  \
  X(sinh, sinhl, 0.6, -4, 4)                  \
  X(cosh, coshl, 0.6, -4, 4)                  \
  X(asinh, asinhl, 0.6, -4, 4)                \
  X(acosh, acoshl, 0.6, 1, 10)                \
  X(atanh, atanhl, 0.6, -0.99, 0.99)          \
  X(sqrt, sqrtl, 0.5, 0, 100)                 \
  X(floor, floorl, 0, -100, 100)              \
  X(ceil, ceill, 0, -100, 100)                \
  X(trunc, truncl, 0, -100, 100)              \
  X(rint, rintl, 0, -100, 100)                \
  X(round, roundl, 0, -100, 100)

/* X(name, reference, limit, first x, last x, first y, last y) */
#define TARN_BINARY_F32(X)             \
  X(powf, pow, 0.75, 0.1, 10, -3, 3)   \
  X(atan2f, atan2, 0.75, -4, 4, -4, 4) \
  X(fmodf, fmod, 0, -100, 100, 0.5, 10)

#define TARN_BINARY_F64(X)           \
  X(pow, powl, 0.65, 0.1, 10, -3, 3) \
  X(fmod, fmodl, 0, -100, 100, 0.5, 10)

#endif
