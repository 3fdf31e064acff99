/* Resized codes are what the resize of their numbers gives, quantised: bit for bit. */
#include <math.h>
#include <stdio.h>

#include "tarn_int_resize_s8.h"
#include "tarn_resize_f32.h"

enum { kIn = 5, kOut = 9, kChannels = 6, kPitch = 7 };

static uint32_t state = 7;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

int main(void)
{
    static int8_t x[kIn * kIn * kPitch], y[kOut * kOut * kChannels];
    static float numbers[kIn * kIn * kPitch], wanted[kOut * kOut * kChannels];
    static const int8_t *rows[4];
    static const float *number_rows[4];
    int32_t starts[1 + 2 * kOut];
    float weights[1 + 2 * kOut * 4];
    int32_t round, i, k;
    for (round = 0; round < 400; ++round) {
        const int32_t taps = below(2) == 0 ? 2 : 4;
        const float unit = below(3) == 0 ? 0.0625f : 0.01f + (float)below(1000) / 9000.0f;
        tarn_resize_f32_params f = {{1, taps, taps, kChannels, kPitch, kChannels, 0.3f}, 1, 1, kIn, 1, kOut, kOut, kIn * kPitch, kOut * kChannels};
        tarn_int_resize_s8_params p = {{1, taps, taps, kChannels, kPitch, kChannels, 0.3f, unit, unit, 3, -7, -128, 127},
                                       1, 1, kIn, 1, kOut, kOut, kIn * kPitch, kOut * kChannels};
        p.line.scale = below(2) == 0 ? unit : unit * 0.7f;
        starts[0] = 0;
        weights[0] = 1.0f;
        for (i = 0; i < 2 * kOut; ++i) {
            starts[1 + i] = below(9) == 0 ? -1 : below(kIn - taps + 1);
            for (k = 0; k < taps; ++k) {
                weights[1 + i * taps + k] = below(5) == 0 ? 0.0f : (float)(below(17) - 4) / 16.0f;
            }
        }
        for (i = 0; i < kIn * kIn * kPitch; ++i) {
            x[i] = (int8_t)(below(256) - 128);
            numbers[i] = (float)(x[i] - p.line.x_zero) * unit;
        }
        tarn_resize_f32(&f, numbers, starts, weights, wanted, number_rows);
        tarn_int_resize_s8(&p, x, starts, weights, y, rows);
        for (i = 0; i < kOut * kOut * kChannels; ++i) {
            const float v = rintf(wanted[i] / p.line.scale) + (float)p.line.zero;
            const float code = v < -128.0f ? -128.0f : v > 127.0f ? 127.0f : v;
            if ((float)y[i] != code) {
                printf("round %d, element %d: %d, not %g\n", (int)round, (int)i, y[i], (double)code);
                return 1;
            }
        }
    }
    printf("%d rounds\n", (int)round);
    return 0;
}
