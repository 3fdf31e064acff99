/* The integer softmax against softmax in floats between DequantizeLinear and QuantizeLinear: at most one step apart, in at
 * most one of 10,000 codes. Tables and factors are made as the generator makes them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tarn_int_softmax_s8.h"

static uint32_t state = 7;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

int main(void)
{
    static int8_t x[4096];
    static int8_t y[4096];
    static int8_t in_place[4096];
    static float e[4096];
    static uint32_t table[256];
    long codes = 0, apart = 0;
    int run;
    for (run = 0; run < 4000; ++run) {
        const int32_t count = 1 + below(run % 50 == 0 ? 2000 : 24);
        const float x_scale = (float)exp(-6.0 + 6.0 * below(1000) / 1000.0);
        const float y_scale = run % 3 == 0 ? 1.0f / 256.0f : (float)exp(-7.0 + 5.0 * below(1000) / 1000.0);
        const double one = floor(fmin(1.0, 1.0 / ((double)count * (double)y_scale)) * 2147483648.0);
        const int32_t zero = run % 2 == 0 ? -128 : below(256) - 128;
        const int32_t spread = 1 + below(255);
        tarn_int_softmax_s8_params p;
        float most = -INFINITY;
        float sum = 0;
        int32_t i;
        for (i = 0; i < 256; ++i) {
            table[i] = (uint32_t)floor(exp(-i * (double)x_scale) * one + 0.5);
        }
        for (i = 0; i < count; ++i) {
            x[i] = (int8_t)(below(spread) - 128);
        }
        p.outer = 1;
        p.count = count;
        p.inner = 1;
        p.x_pitch = count;
        p.y_pitch = count;
        p.half_step = (int32_t)floor((double)y_scale * 2147483648.0 + 0.5);
        p.zero = zero;
        tarn_int_softmax_s8(&p, x, table, y);
        memcpy(in_place, x, sizeof x);
        tarn_int_softmax_s8(&p, in_place, table, in_place);
        for (i = 0; i < count; ++i) {
            e[i] = (float)x[i] * x_scale;
            most = e[i] > most ? e[i] : most;
        }
        for (i = 0; i < count; ++i) {
            e[i] = expf(e[i] - most);
            sum += e[i];
        }
        for (i = 0; i < count; ++i) {
            const float v = e[i] / sum;
            const float scaled = v / y_scale;
            const double code = fmin(127.0, fmax(-128.0, nearbyint((double)scaled) + zero));
            ++codes;
            if (y[i] != (int)code) {
                ++apart;
                if (fabs((double)y[i] - code) > 1) {
                    printf("softmax of %d, element %d: %d for %g\n", (int)count, (int)i, y[i], code);
                    return 1;
                }
            }
            if (in_place[i] != y[i]) {
                printf("softmax in place differs\n");
                return 1;
            }
        }
    }
    printf("%ld of %ld codes are a step apart\n", apart, codes);
    return apart * 10000 > codes;
}
