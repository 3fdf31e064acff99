/* Transposed convolutions of int8 images against the definition that scatters: random shapes, strides, dilations, paddings; where phases
 * do, also by those, as processors with several products at a time have it. */
#include <stdio.h>
#include <string.h>

#include "tarn_int_convtranspose_dsp_s8.h"
#include "tarn_int_convtranspose_mve_s8.h"
#include "tarn_int_convtranspose_s8.h"

static uint32_t state = 5;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

static int8_t x[8192], y[1 << 17], w[8192], packed[16384];
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
    static int8_t copies[4][256];
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

static int32_t phase_words[1 << 13], phase_q[4096], patches[1024];
static int8_t *const phased = (int8_t *)phase_words;
static int8_t patch[1024];

/* Weights and constants by phases; `mve`: in the order of that processor. */
static void pack_phases(const tarn_int_convtranspose_s8_params *p, int mve)
{
    const int32_t lanes = mve ? 4 : 2, area = p->rows * p->taps;
    int8_t *to = phased;
    int32_t *constants = phase_q;
    int32_t f, g, o, j, u, c;
    memset(phase_words, 0, sizeof phase_words);
    memset(phase_q, 0, sizeof phase_q);
    for (f = 0; f < p->stride[0]; ++f) {
        for (g = 0; g < p->stride[1]; ++g) {
            const int32_t rows = (p->rows - f + p->stride[0] - 1) / p->stride[0], taps = (p->taps - g + p->stride[1] - 1) / p->stride[1];
            const int32_t n = rows * taps * p->inputs, length = mve ? (n + 15) / 16 * 16 : (n + 7) / 8 * 8;
            for (o = 0; o < p->outputs; ++o) {
                int8_t *block = to + o / lanes * lanes * length;
                int32_t *mine = constants + o / lanes * lanes * 3;
                const int32_t *own = constants_of(p, o), lane = o % lanes;
                int32_t sum = 0, k = 0;
                for (j = 0; j < rows; ++j) {
                    for (u = 0; u < taps; ++u) {
                        for (c = 0; c < p->inputs; ++c, ++k) {
                            const int8_t weight = w[(o * area + (f + j * p->stride[0]) * p->taps + g + p->stride[1] * (taps - 1 - u)) * p->inputs + c];
                            sum += weight;
                            block[mve ? lane % 2 * 2 * length + lane / 2 * 16 + k / 16 * 32 + k % 16 : k / 4 * 8 + lane * 4 + k % 4] = weight;
                        }
                    }
                }
                mine[mve ? lane % 2 * 2 + lane / 2 : lane] = own[0] - p->zero * sum;
                mine[lanes + lane] = own[4];
                mine[2 * lanes + lane] = own[8];
            }
            to += (p->outputs + lanes - 1) / lanes * lanes * length;
            constants += (p->outputs + lanes - 1) / lanes * lanes * 3;
        }
    }
}

/* By phases: whole images, then every line in two pieces. */
static int check_phases(const tarn_int_convtranspose_s8_params *p, int mve, int run)
{
    const tarn_int_convtranspose_dsp_s8_params d = {p->requant, p->inputs, p->outputs, p->rows, p->taps, p->images, p->in_lines, p->in_pixels, p->out_lines, p->out_pixels,
                                                    {p->stride[0], p->stride[1]}, {1, 1}, {p->pad[0], p->pad[1]}, p->x_pitch, p->y_pitch, p->zero};
    const tarn_int_convtranspose_mve_s8_params m = {p->requant, p->inputs, p->outputs, p->rows, p->taps, p->images, p->in_lines, p->in_pixels, p->out_lines, p->out_pixels,
                                                    {p->stride[0], p->stride[1]}, {1, 1}, {p->pad[0], p->pad[1]}, p->x_pitch, p->y_pitch, p->zero, 1 + 2 * below(2)};
    int8_t *bytes = p->inputs % 4 != 0 ? patch : NULL;
    int32_t i, row;
    if (mve && m.block == 1) {
        return 0; /* weights for one patch at a time lie otherwise */
    }
    pack_phases(p, mve);
    memset(y, 0, sizeof y);
    if (mve) {
        tarn_int_convtranspose_mve_s8(&m, x, phased, phase_q, NULL, y, (int8_t *)patches, lines);
    } else {
        tarn_int_convtranspose_dsp_s8(&d, x, phase_words, phase_q, NULL, y, patches, bytes, lines);
    }
    if (compare(p, mve ? "phases, mve" : "phases, dsp", run) != 0) {
        return 1;
    }
    memset(y, 0, sizeof y);
    for (i = 0; i < p->images * p->out_lines; ++i) {
        const int32_t cut = below(p->out_pixels + 1);
        int8_t *out = y + i * p->out_pixels * p->y_pitch;
        for (row = 0; row < p->rows; ++row) {
            const int32_t moved = i % p->out_lines + p->pad[0] - row;
            const int32_t from = moved / p->stride[0];
            lines[row] = NULL;
            if (moved >= 0 && moved % p->stride[0] == 0 && from < p->in_lines) {
                lines[row] = x + (i / p->out_lines * p->in_lines + from) * p->in_pixels * p->x_pitch;
            }
        }
        if (mve) {
            tarn_int_convtranspose_mve_line_s8(&m, lines, phased, phase_q, NULL, out, 0, cut, (int8_t *)patches);
            tarn_int_convtranspose_mve_line_s8(&m, lines, phased, phase_q, NULL, out, cut, p->out_pixels, (int8_t *)patches);
        } else {
            tarn_int_convtranspose_dsp_line_s8(&d, lines, phase_words, phase_q, NULL, out, 0, cut, patches, bytes);
            tarn_int_convtranspose_dsp_line_s8(&d, lines, phase_words, phase_q, NULL, out, cut, p->out_pixels, patches, bytes);
        }
    }
    return compare(p, mve ? "lines by phases, mve" : "lines by phases, dsp", run);
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
    p.groups = run % 2 == 0 ? 1 : 1 + below(3);
    p.inputs = run % 4 == 0 ? 4 + below(5) : 1 + below(5);
    p.outputs = 1 + below(7);
    p.rows = 1 + below(4);
    p.taps = 1 + below(4);
    p.images = 1 + below(2);
    p.in_lines = 1 + below(5);
    p.in_pixels = 1 + below(5);
    for (i = 0; i < 2; ++i) {
        p.stride[i] = 1 + below(3);
        p.dilation[i] = run % 2 == 0 ? 1 : 1 + below(2);
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
    if (compare(&p, "lines", run) != 0) {
        return 1;
    }
    if (p.groups != 1 || p.dilation[0] != 1 || p.dilation[1] != 1 || p.rows < p.stride[0] || p.taps < p.stride[1]) {
        return 0;
    }
    return check_phases(&p, 0, run) != 0 || check_phases(&p, 1, run) != 0;
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
