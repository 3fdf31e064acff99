/* Functions of many floats at a time against those of one: the same bits for floats of all exponents and both signs, infinities, NaNs and
 * subnormal numbers, also in parts of fewer than eight. */
#include <stdio.h>
#include <string.h>

#include "tarn_math_erf_avx2.h"
#include "tarn_math_exp_avx2.h"
#include "tarn_math_sigmoid_avx2.h"
#include "tarn_math_tanh_avx2.h"

#if defined(TARN_MANY_F32)
static int differs(const char *name, void (*many)(float *, int32_t), float (*one)(float))
{
    uint32_t bits = 0;
    int32_t count = 8;
    do {
        uint32_t from[8];
        float v[8], w[8];
        int32_t i;
        for (i = 0; i < 8; ++i) from[i] = bits + (uint32_t)i * 3001u;
        memcpy(v, from, sizeof v);
        memcpy(w, from, sizeof w);
        many(v, count);
        for (i = 0; i < 8; ++i) {
            const float right = i < count ? one(w[i]) : w[i];
            if (memcmp(&right, &v[i], sizeof right) != 0) {
                printf("%s of %08x, one of %d: other bits\n", name, (unsigned)from[i], (int)count);
                return 1;
            }
        }
        bits += 8 * 3001u;
        count = count == 8 ? 1 + (int32_t)(bits % 8u) : 8;
    } while (bits >= 8 * 3001u);
    return 0;
}
#endif

int main(void)
{
#if defined(TARN_MANY_F32)
    int bad;
    if (!__builtin_cpu_supports("avx2")) {
        printf("this machine has no AVX2\n");
        return 77;
    }
    bad = differs("exp", tarn_exp_many, tarn_expf);
    bad += differs("sigmoid", tarn_sigmoid_many, tarn_sigmoidf);
    bad += differs("tanh", tarn_tanh_many, tarn_tanhf);
    bad += differs("erf", tarn_erf_many, tarn_erff);
    return bad;
#else
    printf("built without AVX2\n");
    return 77;
#endif
}
