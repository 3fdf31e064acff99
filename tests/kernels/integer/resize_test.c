/* Resized codes of 16 bits are what the resize of their numbers gives, quantised: bit for bit. Those of 8 bits are the nearest to the exact
 * number, ties to even, or the neighbour where that lies within 1/512 of the middle. */
#include <math.h>
#include <stdio.h>

#include "tarn_int_resize_line_s16.h"
#include "tarn_int_resize_s8.h"
#include "tarn_resize_f32.h"

/* The driver of codes of 16 bits is the text of that of 8 (generator/emit/kernels.cc). */
#undef TARN_INT_RESIZE_S8_H
#define tarn_int_resize_s8 tarn_int_resize_s16
#define tarn_int_resize_s8_params tarn_int_resize_s16_params
#define tarn_int_resize_line_s8 tarn_int_resize_line_s16
#define tarn_int_resize_line_s8_params tarn_int_resize_line_s16_params
#define tarn_int_resize_weight_s8 tarn_int_resize_weight_s16
#define tarn_int_code_s8 tarn_int_code_s16
#include "tarn_int_resize_s8.c"
#undef tarn_int_resize_s8
#undef tarn_int_resize_s8_params
#undef tarn_int_resize_line_s8
#undef tarn_int_resize_line_s8_params
#undef tarn_int_resize_weight_s8
#undef tarn_int_code_s8

enum { kIn = 5, kOut = 9, kChannels = 6, kPitch = 7 };

static uint32_t state = 7;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

static int check_16_bits(void)
{
    static int16_t x[kIn * kIn * kPitch], y[kOut * kOut * kChannels];
    static float numbers[kIn * kIn * kPitch], wanted[kOut * kOut * kChannels];
    static const int16_t *rows[4];
    static const float *number_rows[4];
    int32_t starts[1 + 2 * kOut];
    float weights[1 + 2 * kOut * 4];
    int32_t round, i, k;
    for (round = 0; round < 400; ++round) {
        const int32_t taps = below(2) == 0 ? 2 : 4;
        const float unit = below(3) == 0 ? 0.0625f : 0.01f + (float)below(1000) / 9000.0f;
        tarn_resize_f32_params f = {{1, taps, taps, kChannels, kPitch, kChannels, 0.3f}, 1, 1, kIn, 1, kOut, kOut, kIn * kPitch, kOut * kChannels};
        tarn_int_resize_s16_params p = {{1, taps, taps, kChannels, kPitch, kChannels, 0.3f, unit, unit, 3, -7, -128, 127},
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
            x[i] = (int16_t)(below(256) - 128);
            numbers[i] = (float)(x[i] - p.line.x_zero) * unit;
        }
        tarn_resize_f32(&f, numbers, starts, weights, wanted, number_rows);
        tarn_int_resize_s16(&p, x, starts, weights, y, rows);
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

static int near_middle(double v)
{
    return fabs(v - floor(v) - 0.5) < 1.0 / 512;
}

static int check_8_bits(void)
{
    static int8_t x[2 * kIn * kIn * kPitch], y[kOut * kOut * kChannels];
    static const int8_t *rows[32];
    int32_t starts[1 + 2 * kOut], fixed[2 + 2 * kOut * 4];
    double weights[2 + 2 * kOut * 4];
    int32_t round, i, k;
    for (round = 0; round < 400; ++round) {
        /* Sources beyond sixteen are not kept. */
        const int32_t taps = below(2) == 0 ? 2 : 4, planes = 1 + below(2), lines = planes * taps;
        const double ratio = below(2) == 0 ? 1.0 : 0.05 + below(1000) / 400.0;
        const int32_t sixteenths = below(2);
        tarn_int_resize_s8_params p = {{planes, taps, taps, kChannels, kPitch, kChannels, 11, 3, -7, 0, 0, 0}, 1, planes, kIn, 1, kOut, kOut, kIn * kPitch, kOut * kChannels};
        double most = 1, sums[3] = {0, 0, 0};
        int32_t fewer = 0;
        starts[0] = 0;
        for (i = 0; i < planes; ++i) {
            weights[i] = planes == 1 ? 1.0 : i == 0 ? 0.25 : 0.75;
        }
        sums[0] = 1;
        for (i = 0; i < 2 * kOut; ++i) {
            double sum = 0;
            starts[1 + i] = below(9) == 0 ? -1 : below(kIn - taps + 1);
            for (k = 0; k < taps; ++k) {
                const double w = below(5) == 0 ? 0.0 : sixteenths ? (below(17) - 4) / 16.0 : (below(1700) - 400) / 1600.0;
                weights[planes + (i * taps) + k] = w;
                sum += fabs(w);
            }
            sums[1 + i / kOut] = sum > sums[1 + i / kOut] ? sum : sums[1 + i / kOut];
        }
        for (i = 0; i < 3; ++i) {
            most *= sums[i];
        }
        while (ldexp(most * 256, 21 - fewer) >= ldexp(1, 31)) {
            ++fewer;
        }
        for (i = 0; i < planes + (2 * kOut * taps); ++i) {
            fixed[i] = (int32_t)lrint(ldexp(weights[i], i < planes + (kOut * taps) ? 26 : 27 - fewer));
        }
        p.line.post = 19 - ilogb(ratio) - fewer;
        p.line.half = 1 << (p.line.post - 1);
        p.line.factor = (int32_t)lrint(ldexp(ratio, p.line.post + 11 + fewer));
        for (i = 0; i < planes * kIn * kIn * kPitch; ++i) {
            x[i] = (int8_t)(below(256) - 128);
        }
        tarn_int_resize_s8(&p, x, starts, fixed, y, rows);
        for (i = 0; i < kOut * kOut * kChannels; ++i) {
            const int32_t c = i % kChannels, pixel = i / kChannels % kOut, line = i / kChannels / kOut;
            const int32_t from = starts[1 + line], at = starts[1 + kOut + pixel];
            double v = 0, code;
            for (k = 0; k < lines * taps; ++k) {
                const int32_t t = k % taps, l = k / taps % taps, s = k / taps / taps;
                if (from >= 0 && at >= 0) {
                    v += weights[s] * weights[planes + (line * taps) + l] * weights[planes + ((kOut + pixel) * taps) + t] *
                         (x[((((s * kIn) + from + l) * kIn) + at + t) * kPitch + c] - 3);
                }
            }
            code = rint(v * ratio) - 7;
            code = code < -128 ? -128 : code > 127 ? 127 : code;
            if (from < 0 || at < 0) {
                code = 11;
            }
            if (fabs(y[i] - code) > (near_middle(v * ratio) && (!sixteenths || ratio != 1.0) ? 1 : 0)) {
                printf("round %d, element %d: %d, not %g\n", (int)round, (int)i, y[i], code);
                return 1;
            }
        }
    }
    printf("%d rounds of 8 bits\n", (int)round);
    return 0;
}

int main(void)
{
    return check_16_bits() + check_8_bits();
}
