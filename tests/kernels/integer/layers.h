/* Random layers for the fused integer kernels, and the naive layer that they are held against: shapes, paddings, strides,
 * dilations, pitches, zero points, forms with zones, tie rules and exceptions. */
#ifndef TARN_TEST_LAYERS_H
#define TARN_TEST_LAYERS_H

#include "tarn_requant.h"

#ifdef TARN_TEST_TARGET
#include "semihost.h"
void *memset(void *to, int value, size_t count);
void *memcpy(void *to, const void *from, size_t count);
#else
#include <stdio.h>
#include <string.h>
#endif

enum { kMost = 1 << 16 };

static uint32_t state = 12345;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}
static int32_t between(int32_t first, int32_t last) { return first + below(last - first + 1); }

typedef struct {
    int32_t images, h, w, c, o, groups, kh, kw, sh, sw, dh, dw, ph, pw, oh, ow, xp, yp, zero;
    tarn_requant_params form;
} layer;

static int8_t x[kMost], weights[kMost], want[kMost], got[kMost], scratch[kMost];
static int32_t q[4104], begin[512], m[512], c0[512], zeros[512], wz[512], exceptions[4096];
static const int8_t *line_pointers[16];

static int8_t code_of(const layer *l, int32_t channel, int32_t acc, const int32_t *exc)
{
    const tarn_requant_params *f = &l->form;
    const int64_t product = ((int64_t)acc * ((int64_t)1 << f->pre)) * m[channel];
    int64_t t = c0[channel] + (product >= 0 ? product >> 32 : -((-product + ((int64_t)1 << 32) - 1) >> 32));
    int64_t v;
    if ((t & f->mask) == 0) {
        int32_t i;
        t -= f->half_zone;
        for (i = exc != NULL ? exc[channel] : 0; exc != NULL && i < exc[channel + 1]; i += 2) {
            if (acc >= exc[i] && acc < exc[i] + (exc[i + 1] >> 8)) {
                return (int8_t)(((exc[i + 1] & 255) ^ 128) - 128);
            }
        }
        v = t >> f->post;
        if (((v + f->parity) & 1) != 0 && (t & (((int64_t)1 << f->post) - 1)) < f->tie) {
            --v;
        }
    } else {
        v = t >> f->post;
    }
    return (int8_t)(v < f->lo ? f->lo : v > f->hi ? f->hi : v);
}

static void naive(const layer *l, const int32_t *exc)
{
    const int32_t cg = l->c / l->groups;
    const int32_t og = l->o / l->groups;
    int32_t n, r, p, o, i, j, k;
    for (n = 0; n < l->images; ++n)
        for (r = 0; r < l->oh; ++r)
            for (p = 0; p < l->ow; ++p)
                for (o = 0; o < l->o; ++o) {
                    int32_t acc = begin[o];
                    for (i = 0; i < l->kh; ++i)
                        for (j = 0; j < l->kw; ++j)
                            for (k = 0; k < cg; ++k) {
                                const int32_t y = r * l->sh - l->ph + i * l->dh;
                                const int32_t z = p * l->sw - l->pw + j * l->dw;
                                const int32_t in = y >= 0 && y < l->h && z >= 0 && z < l->w;
                                const int32_t v = in ? x[((n * l->h + y) * l->w + z) * l->xp + o / og * cg + k] : l->zero;
                                acc += v * (weights[((o * cg + k) * l->kh + i) * l->kw + j] - zeros[o]);
                            }
                    want[((n * l->oh + r) * l->ow + p) * l->yp + o] = code_of(l, o, acc, exc);
                }
}

/* [groups][ceil(og/lanes)][k/4][lanes][4], k = taps then channels, padded to a multiple. */
static void pack_q(const layer *l, int32_t lanes)
{
    const int32_t og = l->o / l->groups;
    int32_t *d = q;
    int32_t g, b, lane;
    memset(wz, 0, sizeof wz);
    for (g = 0; g < l->groups; ++g)
        for (b = 0; b < og; b += lanes) {
            for (lane = 0; lane < lanes; ++lane) {
                const int32_t o = g * og + b + lane, here = b + lane < og;
                d[lane] = here ? begin[o] : 0;
                d[lanes + lane] = here ? m[o] : 0;
                d[2 * lanes + lane] = here ? c0[o] : l->form.mask & -l->form.mask; /* in no zone */
                wz[(d - q) / 3 + lane] = here ? zeros[o] : 0;
            }
            d += 3 * lanes;
        }
}

static void fail(const char *name, const layer *l, int32_t pixel, int32_t channel, int32_t is, int32_t wanted)
{
#ifdef TARN_TEST_TARGET
    (void)l, (void)pixel, (void)channel, (void)is, (void)wanted;
    semihost_print(name);
    semihost_print(": wrong\n");
#else
    printf("%s: pixel %d channel %d is %d, not %d (%dx%dx%d, %d outputs, %d groups, kernel %dx%d)\n", name, (int)pixel, (int)channel,
           (int)is, (int)wanted, (int)l->h, (int)l->w, (int)l->c, (int)l->o, (int)l->groups, (int)l->kh, (int)l->kw);
#endif
}

/* All outputs, and that nothing was written between them. */
static int check(const char *name, const layer *l)
{
    const int32_t n = l->images * l->oh * l->ow;
    int32_t i, o;
    for (i = 0; i < n; ++i)
        for (o = 0; o < l->yp; ++o) {
            const int32_t wanted = o < l->o ? want[i * l->yp + o] : 0x55;
            if (got[i * l->yp + o] != wanted) {
                fail(name, l, i, o, got[i * l->yp + o], wanted);
                return 1;
            }
        }
    if (got[n * l->yp] != 0x55) {
        fail(name, l, n, 0, got[n * l->yp], 0x55);
        return 1;
    }
    memset(got, 0x55, sizeof got);
    return 0;
}

static void make_form(layer *l)
{
    int32_t o, at;
    tarn_requant_params *f = &l->form;
    f->pre = between(2, 6);
    f->post = between(8, 14);
    f->half_zone = below(3) == 0 ? 1 << between(0, 5) : 0;
    f->mask = f->half_zone != 0 ? (1 << f->post) - 2 * f->half_zone : -1;
    f->tie = f->half_zone != 0 && below(2) ? between(1, f->half_zone) : 0;
    f->parity = below(2);
    f->lo = below(2) ? -128 : between(-128, 0);
    f->hi = below(2) ? 127 : between(1, 127);
    f->unit = 0;
    f->zero = 0;
    at = l->o + 1;
    for (o = 0; o < l->o; ++o) {
        begin[o] = between(-3000, 3000);
        m[o] = (1 << 30) + below(1 << 29) - (below(8) == 0 ? 1 << 30 : 0);
        m[o] = below(9) == 0 ? -m[o] : m[o];
        c0[o] = between(-20, 20) * (1 << f->post) + (1 << (f->post - 1)) + f->half_zone;
        exceptions[o] = at;
        if (below(3) == 0 && at < 4000) {
            exceptions[at++] = between(-300, 300);
            exceptions[at++] = between(1, 40) << 8 | (between(f->lo, f->hi) & 255);
        }
    }
    exceptions[l->o] = at;
}

/* The lines under the kernel at one line of output, NULL outside. */
static void aim(const layer *l, int32_t image, int32_t line)
{
    int32_t row;
    for (row = 0; row < l->kh; ++row) {
        const int32_t at = line * l->sh - l->ph + row * l->dh;
        line_pointers[row] = at >= 0 && at < l->h ? x + (image * l->h + at) * l->w * l->xp : NULL;
    }
}

/* Every line on its own, in two pieces. */
#define LINES(call)                                                        \
    do {                                                                   \
        int32_t n;                                                         \
        for (n = 0; n < l->images * l->oh; ++n) {                          \
            int8_t *y = got + n * l->ow * l->yp;                           \
            const int32_t middle = below(l->ow + 1);                       \
            int32_t first = 0, end = middle;                               \
            aim(l, n / l->oh, n % l->oh);                                  \
            call;                                                          \
            first = middle;                                                \
            end = l->ow;                                                   \
            call;                                                          \
        }                                                                  \
    } while (0)

/* Up to `most` channels of a group. False: the kernel is larger than the image. */
static int random_layer(layer *l, int deep, int weighted, int32_t most)
{
    int32_t i;
    l->images = between(1, 2);
    l->h = between(1, 9);
    l->w = between(1, 12);
    l->groups = deep ? 1 : below(4) == 0 ? between(1, 3) : 1;
    l->c = deep ? between(1, most + 3) : l->groups * between(1, most);
    l->o = deep ? l->c : l->groups * between(1, most);
    if (deep) l->groups = l->c;
    l->kh = below(2) ? 3 : between(1, 4);
    l->kw = below(2) ? 3 : between(1, 4);
    if (!deep && below(4) == 0) {
        l->kh = l->kw = l->h = l->w = l->images = 1;
    }
    l->sh = between(1, 2);
    l->sw = between(1, 3);
    l->dh = below(4) == 0 ? 2 : 1;
    l->dw = below(4) == 0 ? 2 : 1;
    l->ph = below(l->kh);
    l->pw = below(l->kw);
    if (l->h + 2 * l->ph < (l->kh - 1) * l->dh + 1 || l->w + 2 * l->pw < (l->kw - 1) * l->dw + 1) return 0;
    l->oh = (l->h + 2 * l->ph - (l->kh - 1) * l->dh - 1) / l->sh + 1;
    l->ow = (l->w + 2 * l->pw - (l->kw - 1) * l->dw - 1) / l->sw + 1;
    l->xp = l->c + (below(3) == 0 ? between(1, 5) : 0);
    l->yp = l->o + (below(3) == 0 ? between(1, 5) : 0);
    l->zero = between(-128, 127);
    for (i = 0; i < l->images * l->h * l->w * l->xp; ++i) x[i] = (int8_t)between(-128, 127);
    for (i = 0; i < l->o * (l->c / l->groups) * l->kh * l->kw; ++i) weights[i] = (int8_t)between(-128, 127);
    for (i = 0; i < 512; ++i) zeros[i] = weighted ? between(-20, 20) : 0;
    memset(got, 0x55, sizeof got);
    make_form(l);
    return 1;
}

#endif
