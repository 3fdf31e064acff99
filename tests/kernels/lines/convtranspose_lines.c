/* Lines of transposed convolutions against the scattered sum that defines them. */
#include "lines.h"
#include "tarn_convtranspose_line_f32.h"

typedef struct {
    int32_t rows, taps, stride, pad, dilation, line_stride, line_pad, line_dilation, groups, inputs, outputs;
} shape;

typedef struct {
    const shape *s;
    const image *x;
    const float *w, *b; /* w: [groups * inputs][outputs][rows][taps] */
    int32_t line;
} naive;

/* The input position that adds to output position `o` through tap `k`; -1: none. */
static int32_t source(int32_t o, int32_t k, int32_t stride, int32_t pad, int32_t dilation, int32_t in)
{
    const int32_t moved = o + pad - k * dilation;
    return moved >= 0 && moved % stride == 0 && moved / stride < in ? moved / stride : -1;
}

static double expected(void *context, int32_t pixel, int32_t c)
{
    const naive *n = context;
    const shape *s = n->s;
    const int32_t group = c / s->outputs;
    double sum = n->b ? n->b[c] : 0;
    int32_t i, k, t;
    for (k = 0; k < s->rows; ++k) {
        for (t = 0; t < s->taps; ++t) {
            const int32_t line = source(n->line, k, s->line_stride, s->line_pad, s->line_dilation, n->x->lines);
            const int32_t column = source(pixel, t, s->stride, s->pad, s->dilation, n->x->pixels);
            for (i = 0; i < s->inputs && line >= 0 && column >= 0; ++i) {
                const int32_t from = ((group * s->inputs + i) * s->outputs + c % s->outputs) * s->rows * s->taps;
                sum += at(n->x, line, column, group * s->inputs + i) * n->w[from + k * s->taps + t];
            }
        }
    }
    return sum;
}

/* The taps phase by phase, each from its last to its first; returns their order. */
static void list_phases(const shape *s, int32_t *phases, int32_t *order)
{
    int32_t f, k, count = 0;
    for (f = 0; f < s->stride; ++f) {
        phases[3 * f] = 0;
        phases[3 * f + 1] = count;
        phases[3 * f + 2] = f;
        for (k = s->taps - 1; k >= 0; --k) {
            if (k * s->dilation % s->stride == f) {
                if (phases[3 * f]++ == 0) {
                    phases[3 * f + 2] = k * s->dilation;
                }
                order[count++] = k;
            }
        }
    }
}

static int32_t common_divisor(int32_t a, int32_t b) { return b == 0 ? a : common_divisor(b, a % b); }

static void run_one(int32_t run)
{
    shape s = {between(1, 4), between(1, 4), between(1, 3), between(0, 2), between(1, 2), between(1, 3),
               between(0, 2), between(1, 2), between(1, 3), between(1, 4), between(1, 6)};
    const int32_t lines = between(1, 6), pixels = between(1, 13), channels = s.groups * s.outputs;
    const int32_t out_lines = (lines - 1) * s.line_stride + (s.rows - 1) * s.line_dilation + 1 - 2 * s.line_pad;
    const int32_t out_pixels = (pixels - 1) * s.stride + (s.taps - 1) * s.dilation + 1 - 2 * s.pad + between(0, 1);
    const int32_t fours = (s.outputs + 3) / 4, block = below(2);
    int32_t phases[9], order[4], g, o, i, k, t;
    if (out_lines < 1 || out_pixels < 1) {
        return;
    }
    image x = make_image(lines, pixels, s.groups * s.inputs, (s.rows - 1) * s.line_dilation / s.line_stride + 1);
    output y = make_output(out_pixels, channels);
    float *w = values(s.groups * s.inputs * s.outputs * s.rows * s.taps), *b = values(channels);
    float *wp = calloc((size_t)(s.groups * fours * s.rows * s.taps * s.inputs * 4), sizeof(float));
    float *bp = calloc((size_t)(s.groups * fours * 4), sizeof(float));
    list_phases(&s, phases, order);
    for (g = 0; g < s.groups; ++g) {
        for (o = 0; o < s.outputs; ++o) {
            bp[(g * fours + o / 4) * 4 + o % 4] = b[g * s.outputs + o];
            for (k = 0; k < s.rows; ++k) {
                for (t = 0; t < s.taps; ++t) {
                    for (i = 0; i < s.inputs; ++i) {
                        wp[((((g * fours + o / 4) * s.rows + k) * s.taps + t) * s.inputs + i) * 4 + o % 4] =
                            w[(((g * s.inputs + i) * s.outputs + o) * s.rows + k) * s.taps + order[t]];
                    }
                }
            }
        }
    }
    const tarn_convtranspose_line_f32_params p = {s.rows, s.taps, s.stride, s.pad, s.dilation / common_divisor(s.dilation, s.stride), pixels,
                                                  s.groups, s.inputs, s.outputs, x.pitch, y.pitch, -1e30f, 1e30f};
    naive n = {&s, &x, w, below(2) ? b : NULL, 0};
    for (n.line = 0; n.line < out_lines; ++n.line) {
        const float *rows[4];
        ranges all = make_ranges(out_pixels);
        int32_t first, end;
        load_up_to(&x, (n.line + s.line_pad) / s.line_stride);
        for (k = 0; k < s.rows; ++k) {
            const int32_t line = source(n.line, k, s.line_stride, s.line_pad, s.line_dilation, lines);
            rows[k] = line >= 0 ? line_of(&x, line) : NULL;
        }
        clear_output(&y);
        while (next_range(&all, &first, &end)) {
            tarn_convtranspose_line_f32(&p, rows, wp, n.b ? bp : NULL, phases, y.data, first, end, block);
        }
        check_line("transposed", run, n.line, &y, expected, &n);
    }
    free_image(&x);
    free(y.data);
    free(w);
    free(b);
    free(wp);
    free(bp);
}

int main(void)
{
    int32_t run;
    for (run = 0; run < 4000; ++run) {
        run_one(run);
    }
    return finish("transposed convolution lines", run);
}
