/* One quantised layer as tarn emitted it, against the definition that ONNX gives of its operators, on random codes. What the layer is
 * stands in exact_layer.h. Arguments: outputs to compare, seed. Prints how many were, and how many differed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_layer.h"
#include "layer.h"

static unsigned char arena[LAYER_ARENA_BYTES] __attribute__((aligned(LAYER_ARENA_ALIGN)));
static uint32_t state;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int32_t code_at(const void *codes, int32_t i, int32_t is_unsigned)
{
    return is_unsigned ? (int32_t)((const uint8_t *)codes)[i] : (int32_t)((const int8_t *)codes)[i];
}

static int32_t accumulate(const void *x, int32_t line, int32_t pixel, int32_t channel)
{
    const int32_t inputs = CHANNELS / GROUPS, first = channel / (OUTPUTS / GROUPS) * inputs;
    int32_t sum = bias[channel], r, t, c;
    for (r = 0; r < ROWS; ++r) {
        for (t = 0; t < TAPS; ++t) {
            const int32_t l = line * STRIDE + r * DILATION - PAD, p = pixel * STRIDE + t * DILATION - PAD;
            for (c = 0; c < inputs && l >= 0 && l < LINES && p >= 0 && p < PIXELS; ++c) {
                sum += (code_at(x, (l * PIXELS + p) * CHANNELS + first + c, X_UNSIGNED) - X_ZERO) *
                       (weights[((channel * inputs + c) * ROWS + r) * TAPS + t] - w_zero[channel]);
            }
        }
    }
    return sum;
}

static int32_t define(int32_t sum, int32_t channel)
{
    const int32_t lo = Y_UNSIGNED ? 0 : -128;
    float v;
#if ADDED
    v = (float)(sum - bias[channel]) * (x_scale * w_scale[channel]);
    v = v + (float)bias[channel] * b_scale;
    v = RELU && v < 0.0f ? 0.0f : v;
    v = v / y_scale;
#elif QDQ
    v = (float)sum * (x_scale * w_scale[channel]);
    v = RELU && v < 0.0f ? 0.0f : v;
    v = v / y_scale;
#else
    v = (float)sum * (x_scale * w_scale[channel] / y_scale);
#endif
    v = v < (float)(lo - Y_ZERO) ? (float)(lo - Y_ZERO) : v;
    v = v > (float)(lo + 255 - Y_ZERO) ? (float)(lo + 255 - Y_ZERO) : v;
    return (int32_t)rintf(v) + Y_ZERO;
}

int main(int argc, char **argv)
{
    const long wanted = argc > 1 ? atol(argv[1]) : 1000;
    long compared = 0, differ = 0;
    state = (uint32_t)(argc > 2 ? atol(argv[2]) : 1);
    while (compared < wanted) {
        void *x, *y;
        static unsigned char codes[LAYER_IN_X_COUNT];
        /* Codes from a narrow range now and then: sums near each other, saturated or not. */
        const uint32_t range = next() % 4 == 0 ? 1 + next() % 16 : 256, from = next() % 256;
        int32_t i;
        memset(arena, (int)(next() % 256), sizeof arena);
        x = (void *)layer_input_x(arena);
        for (i = 0; i < LAYER_IN_X_COUNT; ++i) {
            codes[i] = (unsigned char)(from + next() % range);
        }
        memcpy(x, codes, sizeof codes);
        if (layer_run(arena) != 0) {
            return 2;
        }
        y = (void *)layer_output_y(arena);
        for (i = 0; i < LAYER_OUT_Y_COUNT; ++i) {
            const int32_t channel = i % OUTPUTS, place = i / OUTPUTS;
            const int32_t want = define(accumulate(codes, place / OUT_PIXELS, place % OUT_PIXELS, channel), channel);
            differ += code_at(y, i, Y_UNSIGNED) != want;
        }
        compared += LAYER_OUT_Y_COUNT;
    }
    printf("%ld %ld\n", compared, differ);
    return differ != 0;
}
