/* Lines of max and average pooling against the windows that define them. */
#include "lines.h"
#include "tarn_averagepool_line_f32.h"
#include "tarn_maxpool_line_f32.h"

typedef struct {
    const image *x;
    int32_t average, rows, line_stride, line_pad, line_pad_end, line_dilation, line;
    tarn_pool_line_params p;
} naive;

static double expected(void *context, int32_t pixel, int32_t c)
{
    const naive *n = context;
    double sum = 0, best = -1e300;
    int32_t count = 0, padded = 0, k, t;
    for (k = 0; k < n->rows; ++k) {
        for (t = 0; t < n->p.taps; ++t) {
            const int32_t line = n->line * n->line_stride - n->line_pad + k * n->line_dilation;
            const int32_t column = pixel * n->p.stride - n->p.pad + t * n->p.dilation;
            padded += line < n->x->lines + n->line_pad_end && column < n->x->pixels + n->p.pad_end;
            if (line >= 0 && line < n->x->lines && column >= 0 && column < n->x->pixels) {
                const double v = at(n->x, line, column, c);
                sum += v;
                best = v > best ? v : best;
                ++count;
            }
        }
    }
    if (n->average) {
        return sum / (n->p.option ? padded : count);
    }
    return best;
}

static int padded_rows(const naive *n)
{
    int rows = 0;
    int32_t k;
    for (k = 0; k < n->rows; ++k) {
        rows += n->line * n->line_stride - n->line_pad + k * n->line_dilation < n->x->lines + n->line_pad_end;
    }
    return rows;
}

static void run_one(int32_t run)
{
    naive n;
    const int32_t lines = between(3, 9), pixels = between(3, 13), channels = between(1, 6);
    const float *rows[3];
    n.average = below(2);
    n.rows = between(1, 3);
    n.line_stride = between(1, 3);
    n.line_dilation = between(1, 2);
    /* No window may lie in the padding alone. */
    n.line_pad = between(0, n.line_dilation == 1 ? n.rows - 1 : 0);
    n.line_pad_end = n.line_pad;
    n.p.rows = n.rows;
    n.p.taps = between(1, 3);
    n.p.dilation = between(1, 2);
    n.p.stride = between(1, 3);
    n.p.pad = between(0, n.p.dilation == 1 ? n.p.taps - 1 : 0);
    n.p.pad_end = n.p.pad;
    n.p.in_pixels = pixels;
    n.p.channels = channels;
    n.p.option = below(2);
    const int32_t span = (n.rows - 1) * n.line_dilation + 1, width = (n.p.taps - 1) * n.p.dilation + 1;
    const int32_t room = pixels + 2 * n.p.pad - width, down = lines + 2 * n.line_pad - span;
    if (room < 0 || down < 0) {
        return;
    }
    image x = make_image(lines, pixels, channels, span > n.line_stride ? span : n.line_stride);
    output y = make_output(room / n.p.stride + 1, channels);
    n.x = &x;
    n.p.x_pitch = x.pitch;
    n.p.y_pitch = y.pitch;
    for (n.line = 0; n.line < down / n.line_stride + 1; ++n.line) {
        const int32_t first_line = n.line * n.line_stride - n.line_pad;
        ranges all = make_ranges(y.pixels);
        int32_t k, first, end;
        load_up_to(&x, first_line + span - 1);
        for (k = 0; k < n.rows; ++k) {
            const int32_t line = first_line + k * n.line_dilation;
            rows[k] = line >= 0 && line < lines ? line_of(&x, line) : NULL;
        }
        clear_output(&y);
        while (next_range(&all, &first, &end)) {
            if (n.average) {
                tarn_averagepool_line_f32(&n.p, rows, y.data, first, end, padded_rows(&n));
            } else {
                tarn_maxpool_line_f32(&n.p, rows, y.data, first, end);
            }
        }
        check_line(n.average ? "average" : "max", run, n.line, &y, expected, &n);
    }
    free_image(&x);
    free(y.data);
}

int main(void)
{
    int32_t run;
    for (run = 0; run < 4000; ++run) {
        run_one(run);
    }
    return finish("pooling lines", run);
}
