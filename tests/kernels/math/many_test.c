/* Functions of many floats at a time against the true values: within 2.5 units in the last place for floats of all exponents and both
 * signs, infinities, NaNs and subnormal numbers, also in parts of fewer than eight, whose neighbours stay as they are.
 *
 *     kernels_math_many_test [STEP]
 *
 * STEP: every so many-th float, 3001 by default; 1 takes all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tarn_math_erf_avx2.h"
#include "tarn_math_exp_avx2.h"
#include "tarn_math_sigmoid_avx2.h"
#include "tarn_math_tanh_avx2.h"
#include "ulp.h"

#if defined(TARN_MANY_F32)
#define LIMIT 2.5

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static int differs(const char *name, void (*many)(float *, int32_t), double (*reference)(double), uint32_t step)
{
    double worst = 0;
    float worst_at = 0;
    uint64_t bits = 0;
    uint64_t blocks = 0;
    for (; bits < ((uint64_t)1 << 32); bits += (uint64_t)8 * step) {
        const int32_t count = (blocks % 3 == 1) ? 1 + (int32_t)(blocks % 8) : 8;
        uint32_t from[8];
        float v[8], w[8];
        int32_t i;
        ++blocks;
        for (i = 0; i < 8; ++i) from[i] = (uint32_t)(bits + (uint64_t)i * step);
        memcpy(v, from, sizeof v);
        memcpy(w, from, sizeof w);
        many(v, count);
        if (memcmp(&v[count % 8], &w[count % 8], count == 8 ? 0 : (size_t)(8 - count) * sizeof *v) != 0) {
            printf("%s: more than %d were changed\n", name, (int)count);
            return 1;
        }
        for (i = 0; i < count; ++i) {
            const double right = reference((double)w[i]);
            const double error = isnan(right) ? (isnan(v[i]) ? 0 : ULP_WRONG) : ulp_error_f32(v[i], right);
            if (error > worst) {
                worst = error;
                worst_at = w[i];
            }
        }
    }
    printf("%s: at most %.3f ulp, of %a\n", name, worst, (double)worst_at);
    return worst > LIMIT;
}
#endif

int main(int argc, char **argv)
{
#if defined(TARN_MANY_F32)
    const uint32_t step = argc > 1 ? (uint32_t)atoi(argv[1]) : 3001u;
    int bad;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        printf("this machine has no AVX2 or no FMA\n");
        return 77;
    }
    bad = differs("exp", tarn_exp_many, exp, step);
    bad += differs("sigmoid", tarn_sigmoid_many, sigmoid, step);
    bad += differs("tanh", tarn_tanh_many, tanh, step);
    bad += differs("erf", tarn_erf_many, erf, step);
    return bad;
#else
    (void)argc;
    (void)argv;
    printf("built without AVX2 and FMA\n");
    return 77;
#endif
}
