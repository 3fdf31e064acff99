/* Kernels over vectors of WIDTH lanes against the sums that define them, bit for bit: every sum begins with the bias and runs
 * over lines, taps and inputs upwards, fused (-DFUSED) or rounded twice. Shapes are random; padding, strides, dilation,
 * groups, pitches, residuals in the output's place and clamps are all met. -DMVE: those for Helium, whose weights stand in
 * fours, with blocks of pixels allowed from a line (or pixel) on. -DBOARD: on an emulated board, smaller shapes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BOARD
#include "board.h"
#define SMALLER(most) ((most) / 3)
#else
#define SMALLER(most) (most)
#endif

#ifdef MVE
#define WIDTH 4
#include "tarn_conv2d_mve_f32.h"
#include "tarn_dense_mve_f32.h"
#include "tarn_depthwise2d_mve_f32.h"
#define CONV tarn_conv2d_mve_f32
#define CONV_LINE tarn_conv_line_mve_f32
#define CONV_PARAMS tarn_conv2d_mve_f32_params
#define DENSE tarn_dense_mve_f32
#define DENSE_LINE tarn_dense_mve_f32_line
#define DENSE_PARAMS tarn_dense_mve_f32_params
#define DEPTHWISE tarn_depthwise2d_mve_f32
#define DEPTHWISE_PARAMS tarn_depthwise2d_mve_f32_params
#define LINE_BLOCKS(lines) , block_first, lines
#define PIXEL_BLOCKS(pixels) (block_first < (pixels)) ? block_first : (pixels), pixels,
#else
#define LINE_BLOCKS(lines)
#define PIXEL_BLOCKS(pixels)
#define JOIN3(a, b, c) a##b##c
#define NAME3(a, b, c) JOIN3(a, b, c)
#define NAME(stem) NAME3(stem, WIDTH, _f32)
#define STRING(x) #x
#define TEXT(x) STRING(x)
#include TEXT(NAME(tarn_conv2d_v).h)
#include TEXT(NAME(tarn_dense_v).h)
#include TEXT(NAME(tarn_depthwise2d_v).h)

#define CONV NAME(tarn_conv2d_v)
#define CONV_LINE NAME(tarn_conv_line_v)
#define CONV_PARAMS NAME3(tarn_conv2d_v, WIDTH, _f32_params)
#define DENSE NAME(tarn_dense_v)
#define DENSE_LINE NAME3(tarn_dense_v, WIDTH, _f32_line)
#define DENSE_PARAMS NAME3(tarn_dense_v, WIDTH, _f32_params)
#define DEPTHWISE NAME(tarn_depthwise2d_v)
#define DEPTHWISE_PARAMS NAME3(tarn_depthwise2d_v, WIDTH, _f32_params)
#endif

static uint32_t seed = 1;

static int32_t draw(int32_t least, int32_t most)
{
    seed = seed * 1664525u + 1013904223u;
    return least + (int32_t)((seed >> 8) % (uint32_t)(most - least + 1));
}

static float *numbers(int64_t count)
{
    float *x = malloc((size_t)(count + 1) * sizeof(float));
    int64_t i;
    for (i = 0; i < count; ++i) x[i] = (float)draw(-1000, 1000) / 256.0f;
    return x;
}

static float mac(float s, float w, float x)
{
#ifdef FUSED
    return fmaf(w, x, s);
#else
    volatile float product = w * x;
    return s + product;
#endif
}

static float end(float s, float r, float lo, float hi)
{
    s += r;
    s = s < lo ? lo : s;
    return s > hi ? hi : s;
}

static int64_t compared;

static void expect(float want, float got, const char *what)
{
    ++compared;
    if (memcmp(&want, &got, sizeof want) == 0 || (want == 0 && got == 0)) return;
    fprintf(stderr, "%s: %.9g instead of %.9g\n", what, (double)got, (double)want);
    exit(1);
}

/* Weights [rows][length] as kernels take them, in groups of group_rows rows. */
static float *packed(const float *w, int32_t rows, int32_t group_rows, int32_t length)
{
    const int32_t vectors = (group_rows + WIDTH - 1) / WIDTH, groups = rows / group_rows;
    float *p = calloc((size_t)groups * (size_t)vectors * (size_t)length * WIDTH, sizeof(float));
    int32_t r, k;
    for (r = 0; r < rows; ++r) {
        const int32_t g = r / group_rows, within = r % group_rows;
        for (k = 0; k < length; ++k)
            p[(((g * vectors) + within / WIDTH) * length + k) * WIDTH + within % WIDTH] = w[r * length + k];
    }
    return p;
}

static void test_conv(int depthwise)
{
    const int32_t rows = draw(1, 4), taps = draw(1, 4), dilation = draw(1, 2), stride = draw(1, 2), pad = draw(0, 2);
    const int32_t images = draw(1, 2), in_lines = draw(4, SMALLER(12)) * 2, in_pixels = draw(4, 12) * 2;
    const int32_t groups = depthwise ? 1 : draw(1, 2);
    const int32_t outputs = draw(1, SMALLER(40) + 8), inputs = depthwise ? outputs : draw(0, 2) == 0 ? draw(1, 4) : draw(1, SMALLER(70));
    const int32_t x_pitch = groups * inputs + (draw(0, 3) == 0 ? 3 : 0), y_pitch = groups * outputs + (draw(0, 3) == 0 ? 5 : 0);
    const int32_t out_lines = (in_lines + 2 * pad - (rows - 1) * dilation - 1) / stride + 1;
    const int32_t out_pixels = (in_pixels + 2 * pad - (taps - 1) * dilation - 1) / stride + 1;
    const int32_t each = depthwise ? 1 : inputs, length = rows * taps * each, all = groups * outputs;
    const int bias = draw(0, 2) != 0, rest = draw(0, 1), in_place = rest && draw(0, 1);
    const float lo = draw(0, 1) ? 0.0f : -INFINITY, hi = draw(0, 1) ? 6.0f : INFINITY;
    const int64_t y_count = (int64_t)images * out_lines * out_pixels * y_pitch;
#ifdef MVE
    const int32_t block_first = draw(0, 3);
#endif
    float *x = numbers((int64_t)images * in_lines * in_pixels * x_pitch), *w = numbers((int64_t)all * length);
    float *b = numbers(all), *y = numbers(y_count), *r = numbers(y_count), *kept = numbers(y_count);
    float *wp = packed(w, all, depthwise ? all : outputs, length), *bp = packed(b, all, depthwise ? all : outputs, 1);
    const float *lines[8];
    int32_t n, l, c, o;
    memcpy(kept, r, (size_t)y_count * sizeof(float));
    if (in_place) memcpy(y, r, (size_t)y_count * sizeof(float));
    if (depthwise) {
        const DEPTHWISE_PARAMS p = {{rows, taps, dilation, stride, pad, in_pixels, outputs, x_pitch, y_pitch, y_pitch, lo, hi},
                                    images, in_lines, out_lines, out_pixels, stride, pad, dilation, in_pixels * x_pitch,
                                    out_pixels * y_pitch, out_pixels * y_pitch LINE_BLOCKS(images * out_lines)};
        DEPTHWISE(&p, x, wp, bias ? bp : NULL, in_place ? y : rest ? r : NULL, y, lines);
    } else {
        const CONV_PARAMS p = {{rows, taps, dilation, stride, pad, in_pixels, groups, inputs, outputs, x_pitch, y_pitch, y_pitch, lo, hi},
                               images, in_lines, out_lines, out_pixels, stride, pad, dilation, in_pixels * x_pitch,
                               out_pixels * y_pitch, out_pixels * y_pitch LINE_BLOCKS(images * out_lines)};
        CONV(&p, x, wp, bias ? bp : NULL, in_place ? y : rest ? r : NULL, y, lines);
        if (images == 1 && pad == 0) { /* the line kernel alone, pixel by pixel */
            float *line = numbers((int64_t)out_pixels * y_pitch);
            for (l = 0; l < rows; ++l) lines[l] = x + l * dilation * in_pixels * x_pitch;
            CONV_LINE(&p.line, lines, wp, bias ? bp : NULL, rest ? r : NULL, line, 0, out_pixels, 0);
            for (c = 0; c < out_pixels; ++c)
                for (o = 0; o < all; ++o) expect(y[c * y_pitch + o], line[c * y_pitch + o], "a line");
            free(line);
        }
    }
    for (n = 0; n < images; ++n) {
        for (l = 0; l < out_lines; ++l) {
            for (c = 0; c < out_pixels; ++c) {
                const int64_t at = (((int64_t)n * out_lines + l) * out_pixels + c) * y_pitch;
                for (o = 0; o < all; ++o) {
                    float s = bias ? b[o] : 0.0f;
                    int32_t i, j, k;
                    for (i = 0; i < rows; ++i) {
                        for (j = 0; j < taps; ++j) {
                            const int32_t line = l * stride - pad + i * dilation, column = c * stride - pad + j * dilation;
                            if (line < 0 || line >= in_lines || column < 0 || column >= in_pixels) continue;
                            for (k = 0; k < each; ++k) {
                                const int32_t channel = depthwise ? o : o / outputs * inputs + k;
                                s = mac(s, w[o * length + (i * taps + j) * each + k],
                                        x[((int64_t)(n * in_lines + line) * in_pixels + column) * x_pitch + channel]);
                            }
                        }
                    }
                    expect(end(s, rest ? kept[at + o] : 0.0f, lo, hi), y[at + o], depthwise ? "depthwise" : "conv");
                }
            }
        }
    }
    free(x), free(w), free(b), free(y), free(r), free(kept), free(wp), free(bp);
}

static void test_dense(void)
{
    const int32_t pixels = draw(0, 2) == 0 ? 1 : draw(1, 20), inputs = draw(1, 90), outputs = draw(1, 20 * WIDTH);
    const int32_t x_pitch = inputs + draw(0, 2), y_pitch = outputs + draw(0, 2);
    const int bias = draw(0, 2) != 0, rest = draw(0, 1);
    const float lo = draw(0, 1) ? 0.0f : -INFINITY, hi = draw(0, 1) ? 6.0f : INFINITY;
#ifdef MVE
    const int32_t block_first = draw(0, 3);
#endif
    const DENSE_PARAMS p = {pixels, inputs, outputs, x_pitch, y_pitch, y_pitch, PIXEL_BLOCKS(pixels) lo, hi};
    float *x = numbers((int64_t)pixels * x_pitch), *w = numbers((int64_t)outputs * inputs), *b = numbers(outputs);
    float *y = numbers((int64_t)pixels * y_pitch), *r = numbers((int64_t)pixels * y_pitch);
    float *wp = packed(w, outputs, outputs, inputs), *bp = packed(b, outputs, outputs, 1);
    int32_t i, o, k;
    if (draw(0, 1)) DENSE(&p, x, wp, bias ? bp : NULL, rest ? r : NULL, y);
    else DENSE_LINE(&p, x, wp, bias ? bp : NULL, rest ? r : NULL, y, 0, pixels, 0);
    for (i = 0; i < pixels; ++i) {
        for (o = 0; o < outputs; ++o) {
            float s = bias ? b[o] : 0.0f;
            for (k = 0; k < inputs; ++k) s = mac(s, w[o * inputs + k], x[i * x_pitch + k]);
            expect(end(s, rest ? r[i * y_pitch + o] : 0.0f, lo, hi), y[i * y_pitch + o], "dense");
        }
    }
    free(x), free(w), free(b), free(y), free(r), free(wp), free(bp);
}

int main(void)
{
    int i;
    for (i = 0; i < 40; ++i) {
        test_conv(0);
        test_conv(1);
        test_dense();
        test_dense();
    }
    printf("%d lanes: %ld results\n", WIDTH, (long)compared);
    return compared > 0 ? 0 : 1;
}
