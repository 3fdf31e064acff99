/* Lines of resized images with random tables, interpolated and nearest, against the sums that define them. */
#include "lines.h"
#include "tarn_resize_line_f32.h"
#include "tarn_resize_nearest_b4.h"

enum { most_pixels = 20, most_taps = 4 };

typedef struct {
    const image *x;
    tarn_resize_line_f32_params p;
    int32_t first_line, nearest, inside;
    float plane_weight, line_weights[most_taps], weights[most_pixels * most_taps];
    int32_t starts[most_pixels];
} naive;

static double expected(void *context, int32_t pixel, int32_t c)
{
    const naive *n = context;
    double sum = 0;
    int32_t k, t;
    if (!n->inside || n->starts[pixel] < 0) {
        return n->p.outside;
    }
    if (n->nearest) {
        return at(n->x, n->first_line, n->starts[pixel], c);
    }
    for (k = 0; k < n->p.lines; ++k) {
        for (t = 0; t < n->p.taps; ++t) {
            sum += n->plane_weight * n->line_weights[k] * n->weights[pixel * n->p.taps + t] *
                   at(n->x, n->first_line + k, n->starts[pixel] + t, c);
        }
    }
    return sum;
}

static void run_one(int32_t run)
{
    naive n;
    const int32_t lines = between(4, 9), pixels = between(4, 13), channels = between(1, 9);
    int32_t line, i;
    n.nearest = below(2);
    n.p.planes = 1;
    n.p.lines = n.nearest ? 1 : between(1, most_taps);
    n.p.taps = n.nearest ? 1 : between(1, most_taps);
    n.p.channels = channels;
    n.p.outside = 0.25f;
    image x = make_image(lines, pixels, channels, n.p.lines);
    output y = make_output(between(1, most_pixels), channels);
    n.x = &x;
    n.p.x_pitch = x.pitch;
    n.p.y_pitch = y.pitch;
    n.first_line = 0;
    for (line = 0; line < 6; ++line) {
        const float *rows[most_taps];
        ranges all = make_ranges(y.pixels);
        int32_t first, end;
        n.first_line = between(n.first_line, lines - n.p.lines);
        n.inside = below(8) != 0;
        n.plane_weight = value();
        for (i = 0; i < most_taps; ++i) {
            n.line_weights[i] = below(4) ? value() : 0;
        }
        for (i = 0; i < y.pixels; ++i) {
            n.starts[i] = below(10) ? below(pixels - n.p.taps + 1) : -1;
        }
        for (i = 0; i < y.pixels * n.p.taps; ++i) {
            n.weights[i] = below(4) ? value() : 0;
        }
        load_up_to(&x, n.first_line + n.p.lines - 1);
        for (i = 0; i < n.p.lines; ++i) {
            rows[i] = line_of(&x, n.first_line + i);
        }
        clear_output(&y);
        while (next_range(&all, &first, &end)) {
            if (n.nearest) {
                const tarn_resize_nearest_params p = {1, 1, 1, 1, 1, y.pixels, channels, x.pitch, y.pitch, 0, 0};
                tarn_resize_nearest_b4_line(&p, n.inside ? rows[0] : NULL, n.starts, &n.p.outside, y.data, first, end);
            } else {
                tarn_resize_line_f32(&n.p, n.inside ? rows : NULL, &n.plane_weight, n.line_weights, n.starts, n.weights, y.data, first, end);
            }
        }
        check_line(n.nearest ? "nearest" : "interpolated", run, line, &y, expected, &n);
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
    return finish("resizing lines", run);
}
