/* What the tests of line kernels share: random images whose input lines lie in a ring or scattered, with gaps between their
 * pixels; output computed in column ranges of any order; comparison with a plain loop over the dense image. */
#ifndef LINES_H
#define LINES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t random_state = 12345;

/* In [0, n). */
static int32_t below(int32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (int32_t)(random_state % (uint32_t)n);
}

static int32_t between(int32_t least, int32_t most) { return least + below(most - least + 1); }

static float value(void) { return (float)below(2001) / 1000.0f - 1.0f; }

static float *values(int32_t count)
{
    float *v = malloc((size_t)(count > 0 ? count : 1) * sizeof(float));
    int32_t i;
    for (i = 0; i < count; ++i) {
        v[i] = value();
    }
    return v;
}

#define UNTOUCHED 12345.0f

/* A dense image, and the store that its lines are handed to a kernel from: a ring of `slots` lines, or all of them in any order. */
typedef struct {
    int32_t lines, pixels, channels, pitch, slots, loaded, ring;
    float *dense, *store;
    int32_t *slot; /* of each line, when scattered */
} image;

/* span: lines that may be needed at a time. */
static image make_image(int32_t lines, int32_t pixels, int32_t channels, int32_t span)
{
    image m;
    int32_t i;
    m.lines = lines;
    m.pixels = pixels;
    m.channels = channels;
    m.pitch = channels + below(3) * below(5);
    m.ring = below(2);
    m.slots = m.ring ? span + below(2) : lines + 2;
    m.loaded = 0;
    m.dense = values(lines * pixels * channels);
    m.store = malloc((size_t)(m.slots * pixels * m.pitch) * sizeof(float));
    m.slot = malloc((size_t)m.lines * sizeof(int32_t));
    for (i = 0; i < m.slots * pixels * m.pitch; ++i) {
        m.store[i] = 1.0e30f; /* whoever reads between pixels, or lines that are not there, will show it */
    }
    for (i = 0; i < lines; ++i) {
        const int32_t other = below(i + 1);
        m.slot[i] = i;
        m.slot[i] = m.slot[other];
        m.slot[other] = i;
    }
    return m;
}

static void free_image(image *m)
{
    free(m->dense);
    free(m->store);
    free(m->slot);
}

static float *line_of(image *m, int32_t line)
{
    return m->store + (m->ring ? line % m->slots : m->slot[line]) * m->pixels * m->pitch;
}

/* Lines up to `line` arrive; in a ring they take the place of the oldest. */
static void load_up_to(image *m, int32_t line)
{
    for (; m->loaded <= line && m->loaded < m->lines; ++m->loaded) {
        int32_t pixel, c;
        for (pixel = 0; pixel < m->pixels; ++pixel) {
            for (c = 0; c < m->channels; ++c) {
                line_of(m, m->loaded)[pixel * m->pitch + c] = m->dense[(m->loaded * m->pixels + pixel) * m->channels + c];
            }
        }
    }
}

static double at(const image *m, int32_t line, int32_t pixel, int32_t c)
{
    return m->dense[(line * m->pixels + pixel) * m->channels + c];
}

/* Room for one output line, with gaps between its pixels. */
typedef struct {
    int32_t pixels, channels, pitch;
    float *data;
} output;

static output make_output(int32_t pixels, int32_t channels)
{
    output y;
    y.pixels = pixels;
    y.channels = channels;
    y.pitch = channels + below(3) * below(4);
    y.data = malloc((size_t)(pixels * y.pitch) * sizeof(float));
    return y;
}

static void clear_output(output *y)
{
    int32_t i;
    for (i = 0; i < y->pixels * y->pitch; ++i) {
        y->data[i] = UNTOUCHED;
    }
}

/* The next range of columns of a line: [*first, *end). Ranges cover [0, pixels), those of the end before those of the
 * beginning half of the time. 0: no more. */
typedef struct {
    int32_t cut, pixels, part, backwards;
} ranges;

static ranges make_ranges(int32_t pixels)
{
    ranges r;
    r.cut = between(0, pixels);
    r.pixels = pixels;
    r.part = 0;
    r.backwards = below(2);
    return r;
}

static int next_range(ranges *r, int32_t *first, int32_t *end)
{
    const int32_t low = (r->part == 0) != r->backwards;
    if (r->part == 2) {
        return 0;
    }
    *first = low ? 0 : r->cut;
    *end = low ? r->cut : r->pixels;
    ++r->part;
    return 1;
}

static int failures = 0;

/* expected(context, pixel, channel) against one line. */
static void check_line(const char *what, int32_t run, int32_t line, const output *y, double (*expected)(void *, int32_t, int32_t),
                       void *context)
{
    int32_t pixel, c;
    for (pixel = 0; pixel < y->pixels; ++pixel) {
        for (c = 0; c < y->pitch; ++c) {
            const double got = y->data[pixel * y->pitch + c];
            const double wanted = c < y->channels ? expected(context, pixel, c) : UNTOUCHED;
            const double off = got > wanted ? got - wanted : wanted - got;
            if (!(off <= 1e-4 * (1 + (wanted < 0 ? -wanted : wanted))) && ++failures < 20) {
                printf("%s: run %d, line %d, pixel %d, channel %d: %g, not %g\n", what, (int)run, (int)line, (int)pixel, (int)c, got, wanted);
            }
        }
    }
}

static int finish(const char *what, int32_t runs)
{
    printf("%s: %d configurations, %d failures\n", what, (int)runs, failures);
    return failures != 0;
}

#endif
