/* Convolution lines, plain and depthwise, with and without blocks of pixels, against the sum that defines them. */
#include "lines.h"
#include "tarn_conv_line_f32.h"
#include "tarn_depthwise_line_f32.h"

typedef struct {
    int32_t rows, taps, dilation, stride, pad, line_dilation, line_stride, line_pad;
    int32_t groups, inputs, outputs;
    int32_t depthwise, block;
} shape;

typedef struct {
    const shape *s;
    const image *x;
    const float *w, *b, *r; /* w: [groups * outputs][inputs][rows][taps] */
    int32_t line, r_pitch;
    double lo, hi;
} naive;

static double expected(void *context, int32_t pixel, int32_t c)
{
    const naive *n = context;
    const shape *s = n->s;
    const int32_t group = c / s->outputs;
    double sum = n->b ? n->b[c] : 0;
    int32_t i, k, t;
    for (i = 0; i < s->inputs; ++i) {
        for (k = 0; k < s->rows; ++k) {
            for (t = 0; t < s->taps; ++t) {
                const int32_t line = n->line * s->line_stride - s->line_pad + k * s->line_dilation;
                const int32_t column = pixel * s->stride - s->pad + t * s->dilation;
                if (line >= 0 && line < n->x->lines && column >= 0 && column < n->x->pixels) {
                    sum += at(n->x, line, column, group * s->inputs + i) * n->w[((c * s->inputs + i) * s->rows + k) * s->taps + t];
                }
            }
        }
    }
    if (n->r) {
        sum += n->r[pixel * n->r_pitch + c];
    }
    return sum < n->lo ? n->lo : sum > n->hi ? n->hi : sum;
}

/* In fours, as the kernels want them: [groups][ceil(outputs/4)][rows][taps][inputs][4]. For depthwise kernels the channels
 * are the outputs of one group with one input. */
static float *packed(const shape *s, const float *w, int32_t groups, int32_t outputs)
{
    const int32_t fours = (outputs + 3) / 4;
    float *p = calloc((size_t)(groups * fours * s->rows * s->taps * s->inputs * 4), sizeof(float));
    int32_t g, o, i, k, t;
    for (g = 0; g < groups; ++g) {
        for (o = 0; o < outputs; ++o) {
            for (k = 0; k < s->rows; ++k) {
                for (t = 0; t < s->taps; ++t) {
                    for (i = 0; i < s->inputs; ++i) {
                        const int32_t to = ((((g * fours + o / 4) * s->rows + k) * s->taps + t) * s->inputs + i) * 4 + o % 4;
                        p[to] = w[(((g * outputs + o) * s->inputs + i) * s->rows + k) * s->taps + t];
                    }
                }
            }
        }
    }
    return p;
}

static float *packed_bias(const float *b, int32_t groups, int32_t outputs)
{
    const int32_t fours = (outputs + 3) / 4;
    float *p = calloc((size_t)(groups * fours * 4), sizeof(float));
    int32_t i;
    for (i = 0; i < groups * outputs; ++i) {
        p[i / outputs * fours * 4 + i % outputs] = b[i];
    }
    return p;
}

static void run_one(int32_t run)
{
    shape s;
    s.depthwise = below(2);
    s.block = below(2);
    s.rows = between(1, 4);
    s.taps = between(1, 4);
    s.dilation = between(1, 2);
    s.stride = between(1, 3);
    s.pad = between(0, 3);
    s.line_dilation = between(1, 2);
    s.line_stride = between(1, 3);
    s.line_pad = between(0, 3);
    s.groups = s.depthwise ? between(1, 9) : between(1, 3);
    s.inputs = s.depthwise ? 1 : between(1, 5);
    s.outputs = s.depthwise ? 1 : between(1, 9);
    const int32_t span = (s.rows - 1) * s.line_dilation + 1, width = (s.taps - 1) * s.dilation + 1;
    const int32_t in_lines = between(1, 9), in_pixels = between(1, 17), channels = s.groups * s.outputs;
    const int32_t room = in_pixels + s.pad + between(0, 3) - width, down = in_lines + 2 * s.line_pad - span;
    if (room < 0 || down < 0) {
        return;
    }
    image x = make_image(in_lines, in_pixels, s.groups * s.inputs, span > s.line_stride ? span : s.line_stride);
    output y = make_output(room / s.stride + 1, channels);
    float *w = values(channels * s.inputs * s.rows * s.taps), *b = values(channels), *r = values(y.pixels * (channels + 2));
    const int32_t groups = s.depthwise ? 1 : s.groups, outputs = s.depthwise ? channels : s.outputs;
    float *wp = packed(&s, w, groups, outputs), *bp = packed_bias(b, groups, outputs);
    naive n = {&s, &x, w, below(2) ? b : NULL, below(2) ? r : NULL, 0, channels + below(3), below(2) ? 0 : -1e30, 1e30};
    const float *rows[4];
    for (n.line = 0; n.line < down / s.line_stride + 1; ++n.line) {
        const int32_t first_line = n.line * s.line_stride - s.line_pad;
        ranges all = make_ranges(y.pixels);
        int32_t k, first, end;
        load_up_to(&x, first_line + span - 1);
        for (k = 0; k < s.rows; ++k) {
            const int32_t line = first_line + k * s.line_dilation;
            rows[k] = line >= 0 && line < in_lines ? line_of(&x, line) : NULL;
        }
        clear_output(&y);
        while (next_range(&all, &first, &end)) {
            if (s.depthwise) {
                const tarn_depthwise_line_f32_params p = {s.rows, s.taps, s.dilation, s.stride, s.pad, in_pixels, channels,
                                                          x.pitch, y.pitch, n.r_pitch, (float)n.lo, (float)n.hi};
                tarn_depthwise_line_f32(&p, rows, wp, n.b ? bp : NULL, n.r, y.data, first, end, s.block);
            } else {
                const tarn_conv_line_f32_params p = {s.rows, s.taps, s.dilation, s.stride, s.pad, in_pixels, s.groups, s.inputs,
                                                     s.outputs, x.pitch, y.pitch, n.r_pitch, (float)n.lo, (float)n.hi};
                tarn_conv_line_f32(&p, rows, wp, n.b ? bp : NULL, n.r, y.data, first, end, s.block);
            }
        }
        check_line(s.depthwise ? "depthwise" : "conv", run, n.line, &y, expected, &n);
    }
    free_image(&x);
    free(y.data);
    free(w);
    free(b);
    free(r);
    free(wp);
    free(bp);
}

int main(void)
{
    int32_t run;
    for (run = 0; run < 4000; ++run) {
        run_one(run);
    }
    return finish("convolution lines", run);
}
