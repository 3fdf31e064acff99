/* Windows that are rings: rows that come in again and again, and convolutions over them, against the same kernels over a window that is
 * moved on by hand. All bits must agree. */
#include <stdio.h>
#include <string.h>

#include "tarn_conv2d_f32.h"
#include "tarn_conv_ring_f32.h"
#include "tarn_depthwise2d_f32.h"
#include "tarn_depthwise_ring_f32.h"
#include "tarn_ring_put_f32.h"

enum { MOST_ROWS = 24, MOST_ROW = 9, MOST_OUT = 9, MOST = MOST_ROWS * MOST_ROW, TURNS = 400, RUNS = 60 };

static uint32_t seed = 7u;
static int32_t below(int32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((seed >> 10) % (uint32_t)n);
}
static float number(void) { return (float)(below(2001) - 1000) / 256.0f; }

static float window[MOST], ring[1 + MOST], weights[12 * MOST_ROWS * MOST_ROW], bias[12], expected[3 * MOST_OUT], got[3 * MOST_OUT];
static const float *lines[MOST_ROWS];

/* A layer of `taps` rows, `dilation` apart, over all of a window; its outputs make as many lines as rows are left. */
static int check(int32_t taps, int32_t dilation, int32_t out_lines, int32_t row, int depthwise)
{
    const int32_t rows = (taps - 1) * dilation + out_lines;
    const int32_t outputs = depthwise ? row : 1 + below(MOST_OUT);
    const float lo = -1e30f, hi = 1e30f;
    const tarn_conv_line_f32_params line = {taps, 1, 1, 1, 0, 1, 1, row, outputs, row, outputs, 0, lo, hi};
    const tarn_depthwise_line_f32_params of_channels = {taps, 1, 1, 1, 0, 1, row, row, row, 0, lo, hi};
    const tarn_conv2d_f32_params conv = {line, 1, rows, out_lines, 1, 1, 0, dilation, row, outputs, 0, 0, 0};
    const tarn_depthwise2d_f32_params channels = {of_channels, 1, rows, out_lines, 1, 1, 0, dilation, row, row, 0, 0, 0};
    const tarn_conv_ring_f32_params conv_ring = {line, {rows, row}, dilation, out_lines, 1, outputs, 0};
    const tarn_depthwise_ring_f32_params channels_ring = {of_channels, {rows, row}, dilation, out_lines, 1, row, 0};
    const tarn_ring_put_f32_params put = {{rows, row}, out_lines};
    const size_t bytes = (size_t)(out_lines * outputs) * sizeof(float);
    int32_t run, i;
    int faults = 0;
    memset(window, 0, sizeof window);
    memset(ring, 0, sizeof ring);
    for (i = 0; i < (int32_t)(sizeof weights / sizeof weights[0]); ++i) weights[i] = number();
    for (i = 0; i < 12; ++i) bias[i] = number();
    for (run = 0; run < RUNS; ++run) {
        float added[3 * MOST_ROW];
        for (i = 0; i < out_lines * row; ++i) added[i] = number();
        memmove(window, window + out_lines * row, (size_t)((rows - out_lines) * row) * sizeof(float));
        memcpy(window + (rows - out_lines) * row, added, (size_t)(out_lines * row) * sizeof(float));
        tarn_ring_put_f32(&put, added, ring);
        if (depthwise) {
            tarn_depthwise2d_f32(&channels, window, weights, bias, NULL, expected, lines);
            tarn_depthwise_ring_f32(&channels_ring, ring, weights, bias, NULL, got, lines);
        } else {
            tarn_conv2d_f32(&conv, window, weights, bias, NULL, expected, lines);
            tarn_conv_ring_f32(&conv_ring, ring, weights, bias, NULL, got, lines);
        }
        faults += memcmp(expected, got, bytes) != 0;
    }
    return faults;
}

int main(void)
{
    int32_t turn;
    int faults = 0;
    for (turn = 0; turn < TURNS; ++turn) {
        const int32_t taps = 2 + below(5), out_lines = 1 + below(3);
        faults += check(taps, 1 + below((MOST_ROWS - out_lines) / (taps - 1)), out_lines, 1 + below(MOST_ROW), turn % 2);
    }
    printf("%d faults\n", faults);
    return faults != 0;
}
