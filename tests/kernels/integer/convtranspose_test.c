/* Transposed convolutions of int8 images against the definition that scatters: random shapes, strides, dilations, paddings. */
#include <stdio.h>
#include <string.h>

#include "tarn_int_convtranspose_s8.h"

static uint32_t state = 5;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

static int8_t x[8192], y[1 << 17], w[4096], packed[16384];
static int32_t sums[1 << 17], q[128], list[8];
static const int8_t *lines[4];

/* {begin, m, c} four numbers apart, each group's in fours of its own. */
static int32_t *constants_of(const tarn_int_convtranspose_s8_params *p, int32_t channel)
{
    const int32_t o = channel % p->outputs;
    return q + (channel / p->outputs * ((p->outputs + 3) / 4) + o / 4) * 12 + o % 4;
}

static int compare(const tarn_int_convtranspose_s8_params *p, const char *what, int run)
{
    int32_t l, o;
    for (l = 0; l < p->images * p->out_lines * p->out_pixels; ++l) {
        for (o = 0; o < p->groups * p->outputs; ++o) {
            const int32_t *constants = constants_of(p, o);
            if (y[l * p->y_pitch + o] != tarn_requant(&p->requant, NULL, o, sums[l * p->groups * p->outputs + o], constants[4], constants[8])) {
                printf("run %d, %s: pixel %d, output %d\n", run, what, (int)l, (int)o);
                return 1;
            }
        }
    }
    return 0;
}

/* Every line on its own, in two pieces, from copies of the input lines that lie apart. */
static void run_lines(const tarn_int_convtranspose_s8_params *p)
{
    static int8_t copies[4][128];
    const int32_t length = p->in_pixels * p->x_pitch;
    int32_t i, row;
    for (i = 0; i < p->images * p->out_lines; ++i) {
        const int32_t cut = below(p->out_pixels + 1);
        int8_t *out = y + i * p->out_pixels * p->y_pitch;
        for (row = 0; row < p->rows; ++row) {
            const int32_t moved = i % p->out_lines + p->pad[0] - row * p->dilation[0];
            const int32_t from = moved / p->stride[0];
            lines[row] = NULL;
            if (moved >= 0 && moved % p->stride[0] == 0 && from < p->in_lines) {
                memcpy(copies[row], x + (i / p->out_lines * p->in_lines + from) * length, (size_t)length);
                lines[row] = copies[row];
            }
        }
        tarn_int_convtranspose_line_s8(p, lines, packed, q, NULL, out, 0, cut, list);
        tarn_int_convtranspose_line_s8(p, lines, packed, q, NULL, out, cut, p->out_pixels, list);
    }
}

static int check(int run)
{
    tarn_int_convtranspose_s8_params p;
    int32_t outputs, o, c, i, row, tap;
    memset(&p, 0, sizeof p);
    p.requant.post = 10;
    p.requant.mask = -1;
    p.requant.lo = -128;
    p.requant.hi = 127;
    p.groups = 1 + below(3);
    p.inputs = 1 + below(5);
    p.outputs = 1 + below(7);
    p.rows = 1 + below(4);
    p.taps = 1 + below(4);
    p.images = 1 + below(2);
    p.in_lines = 1 + below(5);
    p.in_pixels = 1 + below(5);
    for (i = 0; i < 2; ++i) {
        p.stride[i] = 1 + below(3);
        p.dilation[i] = 1 + below(2);
        p.pad[i] = below(3);
    }
    p.out_lines = (p.in_lines - 1) * p.stride[0] + (p.rows - 1) * p.dilation[0] + 1 - p.pad[0];
    p.out_pixels = (p.in_pixels - 1) * p.stride[1] + (p.taps - 1) * p.dilation[1] + 1 - p.pad[1];
    if (p.out_lines < 1 || p.out_pixels < 1) {
        return 0;
    }
    p.x_pitch = p.groups * p.inputs + below(3);
    p.y_pitch = p.groups * p.outputs + below(3);
    p.zero = below(256) - 128;
    for (i = 0; i < (int32_t)sizeof x; ++i) {
        x[i] = (int8_t)(below(256) - 128);
    }
    memset(packed, 0, sizeof packed);
    memset(q, 0, sizeof q);
    outputs = p.groups * p.outputs;
    for (o = 0; o < outputs; ++o) {
        int32_t *constants = constants_of(&p, o);
        const int32_t quad = (int32_t)(constants - q) / 12;
        constants[0] = below(2001) - 1000;
        constants[4] = 1 << 28;
        constants[8] = below(4096);
        for (i = 0; i < p.rows * p.taps; ++i) {
            for (c = 0; c < p.inputs; ++c) {
                const int8_t weight = (int8_t)(below(256) - 128);
                w[(o * p.rows * p.taps + i) * p.inputs + c] = weight;
                packed[((quad * p.rows * p.taps + i) * p.inputs + c) * 4 + o % p.outputs % 4] = weight;
            }
        }
    }
    for (i = 0; i < p.images * p.out_lines * p.out_pixels * outputs; ++i) {
        sums[i] = *constants_of(&p, i % outputs);
    }
    for (i = 0; i < p.images * p.in_lines * p.in_pixels; ++i) {
        const int32_t image = i / (p.in_lines * p.in_pixels);
        for (row = 0; row < p.rows; ++row) {
            for (tap = 0; tap < p.taps; ++tap) {
                const int32_t to_line = i / p.in_pixels % p.in_lines * p.stride[0] + row * p.dilation[0] - p.pad[0];
                const int32_t to = i % p.in_pixels * p.stride[1] + tap * p.dilation[1] - p.pad[1];
                if (to_line < 0 || to_line >= p.out_lines || to < 0 || to >= p.out_pixels) {
                    continue;
                }
                for (o = 0; o < outputs; ++o) {
                    for (c = 0; c < p.inputs; ++c) {
                        sums[((image * p.out_lines + to_line) * p.out_pixels + to) * outputs + o] +=
                            (x[i * p.x_pitch + o / p.outputs * p.inputs + c] - p.zero) * w[(o * p.rows * p.taps + row * p.taps + tap) * p.inputs + c];
                    }
                }
            }
        }
    }
    tarn_int_convtranspose_s8(&p, x, packed, q, NULL, y, list, lines);
    if (compare(&p, "image", run) != 0) {
        return 1;
    }
    memset(y, 0, sizeof y);
    run_lines(&p);
    return compare(&p, "lines", run);
}

int main(void)
{
    int run;
    for (run = 0; run < 3000; ++run) {
        if (check(run) != 0) {
            return 1;
        }
    }
    return 0;
}
