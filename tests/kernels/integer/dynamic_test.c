/* Layers with scales made at run time against their definition, over random shapes: the same bits. */
#include <stdio.h>
#include <string.h>

#include "tarn_dynamic_conv2d_dsp_f32.h"
#include "tarn_dynamic_conv2d_f32.h"
#include "tarn_dynamic_depthwise_f32.h"

static uint32_t state = 7u;
static int32_t pick(int32_t first, int32_t end)
{
    state = state * 1664525u + 1013904223u;
    return first + (int32_t)((state >> 8) % (uint32_t)(end - first));
}

enum { MOST = 20000 };
static int8_t x[MOST], w[MOST], packed[2 * MOST], scratch[MOST];
static int32_t words[2 * MOST / 4], sums[4 * 64], zeros[64], lane_zeros[4 * 64];
static float scales[64], bias[64], y[MOST], expected[MOST];
static const int8_t *lines[128];

typedef struct {
    tarn_dynamic_conv2d_f32_params p;
    int32_t x_zero;     /* of the signed codes */
    float x_scale;
    int32_t has_bias, has_zeros;
} layer;

static float define(const layer *t, int32_t n, int32_t pixel, int32_t channel)
{
    const tarn_dynamic_conv2d_f32_params *p = &t->p;
    const int32_t group = channel / p->outputs;
    const int32_t area = p->rows * p->taps;
    const int8_t *image = x + n / p->out_lines * p->in_lines * p->in_pixels * p->x_pitch;
    int32_t sum = 0;
    int32_t k;
    float v;
    for (k = 0; k < area; ++k) {
        const int32_t line = n % p->out_lines * p->stride[0] - p->pad[0] + k / p->taps * p->dilation[0];
        const int32_t at = pixel * p->stride[1] - p->pad[1] + k % p->taps * p->dilation[1];
        int32_t c;
        for (c = 0; c < p->inputs && line >= 0 && line < p->in_lines && at >= 0 && at < p->in_pixels; ++c) {
            const int32_t code = image[(line * p->in_pixels + at) * p->x_pitch + group * p->inputs + c];
            sum += (code - t->x_zero) * (w[(channel * area + k) * p->inputs + c] - (t->has_zeros != 0 ? zeros[channel] : 0));
        }
    }
    v = (float)sum * (t->x_scale * scales[channel * p->scale_step]);
    v = t->has_bias != 0 ? v + bias[channel] : v;
    v = v < p->lo ? p->lo : v;
    return v > p->hi ? p->hi : v;
}

static void choose(layer *t, int32_t depthwise)
{
    tarn_dynamic_conv2d_f32_params *p = &t->p;
    int32_t i;
    do {
        p->groups = depthwise != 0 ? pick(2, 14) : pick(1, 4);
        p->inputs = depthwise != 0 ? 1 : pick(1, 10);
        p->outputs = depthwise != 0 ? 1 : pick(1, 10);
        p->rows = pick(1, 4);
        p->taps = pick(1, 4);
        p->images = pick(1, 3);
        p->in_lines = pick(1, 8);
        p->in_pixels = pick(1, 8);
        for (i = 0; i < 2; ++i) {
            p->stride[i] = pick(1, 3);
            p->dilation[i] = pick(1, 3);
            p->pad[i] = pick(0, 3);
        }
        p->out_lines = (p->in_lines + 2 * p->pad[0] - (p->rows - 1) * p->dilation[0] - 1) / p->stride[0] + 1;
        p->out_pixels = (p->in_pixels + 2 * p->pad[1] - (p->taps - 1) * p->dilation[1] - 1) / p->stride[1] + 1;
    } while (p->out_lines < 1 || p->out_pixels < 1 || p->in_lines + 2 * p->pad[0] < (p->rows - 1) * p->dilation[0] + 1 ||
             p->in_pixels + 2 * p->pad[1] < (p->taps - 1) * p->dilation[1] + 1);
    p->x_pitch = p->groups * p->inputs + pick(0, 3);
    p->y_pitch = p->groups * p->outputs + pick(0, 3);
    p->length = (p->rows * p->taps * p->inputs + 3) / 4 * 4;
    p->zero_flip = pick(0, 2) * 0x80;
    p->scale_step = pick(0, 2);
    p->lo = pick(0, 2) != 0 ? 0.0f : -1e30f;
    p->hi = pick(0, 2) != 0 ? 6.0f : 1e30f;
    t->x_zero = pick(-128, 128);
    t->x_scale = (float)pick(1, 1000) / 4096.0f;
    t->has_bias = pick(0, 2);
    t->has_zeros = pick(0, 2);
    for (i = 0; i < MOST; ++i) {
        x[i] = (int8_t)pick(-128, 128);
        w[i] = (int8_t)pick(-128, 128);
        y[i] = -12345.0f;
    }
    for (i = 0; i < 64; ++i) {
        zeros[i] = pick(-128, 128);
        scales[i] = (float)pick(1, 1000) / 65536.0f;
        bias[i] = (float)pick(-1000, 1000) / 256.0f;
    }
}

/* Weights, sums and zero points in lanes of four, as the kernels read them. */
static void pack(const layer *t, int32_t depthwise)
{
    const tarn_dynamic_conv2d_f32_params *p = &t->p;
    const int32_t per_group = depthwise != 0 ? p->groups : p->outputs;
    const int32_t lanes = (per_group + 3) / 4 * 4;
    const int32_t length = p->rows * p->taps * p->inputs;
    int32_t c;
    memset(packed, 0, sizeof packed);
    memset(sums, 0, sizeof sums);
    memset(lane_zeros, 0, sizeof lane_zeros);
    for (c = 0; c < p->groups * p->outputs; ++c) {
        const int32_t lane = c / per_group * lanes + c % per_group;
        int32_t k;
        lane_zeros[lane] = zeros[c];
        for (k = 0; k < length; ++k) {
            const int8_t weight = w[c * length + k];
            packed[depthwise != 0 ? (lane / 4 * length + k) * 4 + lane % 4
                                  : lane / 4 * 4 * p->length + k / 4 * 16 + lane % 4 * 4 + k % 4] = weight;
            sums[lane] += weight - (t->has_zeros != 0 ? zeros[c] : 0);
        }
    }
    memcpy(words, packed, sizeof packed);
}

static int32_t wrong(const layer *t, const char *kernel)
{
    const tarn_dynamic_conv2d_f32_params *p = &t->p;
    int32_t n;
    for (n = 0; n < p->images * p->out_lines * p->out_pixels; ++n) {
        int32_t c;
        for (c = 0; c < p->y_pitch; ++c) {
            const float want = c < p->groups * p->outputs ? expected[n * p->y_pitch + c] : -12345.0f;
            if (memcmp(&want, &y[n * p->y_pitch + c], sizeof want) != 0) {
                printf("%s: pixel %d, channel %d: %g instead of %g\n", kernel, (int)n, (int)c, (double)y[n * p->y_pitch + c], (double)want);
                return 1;
            }
        }
    }
    for (n = 0; n < MOST; ++n) {
        y[n] = -12345.0f;
    }
    return 0;
}

int main(void)
{
    int32_t round;
    int32_t values = 0;
    for (round = 0; round < 2000; ++round) {
        const int32_t depthwise = round % 3 == 0;
        layer t;
        uint8_t zero;
        const int32_t *w_zero;
        const float *b;
        int32_t i;
        choose(&t, depthwise);
        pack(&t, depthwise);
        for (i = 0; i < t.p.images * t.p.out_lines * t.p.out_pixels; ++i) {
            int32_t c;
            for (c = 0; c < t.p.groups * t.p.outputs; ++c) {
                expected[i * t.p.y_pitch + c] = define(&t, i / t.p.out_pixels, i % t.p.out_pixels, c);
                ++values;
            }
        }
        zero = (uint8_t)(t.p.zero_flip != 0 ? t.x_zero : t.x_zero + 128);
        w_zero = t.has_zeros != 0 ? lane_zeros : NULL;
        b = t.has_bias != 0 ? bias : NULL;
        if (depthwise != 0) {
            tarn_dynamic_depthwise_f32(&t.p, x, packed, w_zero, &t.x_scale, &zero, scales, b, y, lines);
            if (wrong(&t, "depthwise")) {
                return 1;
            }
        } else {
            tarn_dynamic_conv2d_f32(&t.p, x, packed, sums, w_zero, &t.x_scale, &zero, scales, b, y, scratch, lines);
            if (wrong(&t, "conv2d")) {
                return 1;
            }
            tarn_dynamic_conv2d_dsp_f32(&t.p, x, words, sums, w_zero, &t.x_scale, &zero, scales, b, y, scratch, lines);
            if (wrong(&t, "conv2d_dsp")) {
                return 1;
            }
        }
    }
    printf("%d values\n", (int)values);
    return 0;
}
