/* Fused integer kernels against a naive layer: random shapes, paddings, strides, dilations, pitches, zero points, forms with
 * zones, tie rules and exceptions. Every kernel gets the same layer in its own packing. */
#include <stdio.h>
#include <string.h>

#include "tarn_int_conv2d_dsp_s8.h"
#include "tarn_int_conv2d_s8.h"
#include "tarn_int_dense_dsp_s8.h"
#include "tarn_int_dense_s8.h"
#include "tarn_int_depthwise2d_dsp_s8.h"
#include "tarn_int_depthwise2d_s8.h"
#include "tarn_int_depthwise3x3_dsp_s8.h"

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

static int8_t x[kMost], weights[kMost], want[kMost], got[kMost], packed[kMost], scratch[kMost];
static int32_t words[kMost / 4], q[4096], begin[512], m[512], c0[512], zeros[512], wz[512], exceptions[4096], wide[kMost];
static const int8_t *taps[128];
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
static int32_t pack(const layer *l, int32_t lanes, int32_t multiple, int8_t *d)
{
    const int32_t cg = l->c / l->groups, og = l->o / l->groups, area = l->kh * l->kw;
    const int32_t length = (area * cg + multiple - 1) / multiple * multiple;
    int32_t g, b, k, lane;
    for (g = 0; g < l->groups; ++g)
        for (b = 0; b < og; b += lanes)
            for (k = 0; k < length; k += 4)
                for (lane = 0; lane < lanes; ++lane) {
                    int32_t e;
                    for (e = 0; e < 4; ++e) {
                        const int32_t at = k + e, o = g * og + b + lane;
                        *d++ = b + lane < og && at < area * cg ? weights[(o * cg + at % cg) * area + at / cg] : (int8_t)0;
                    }
                }
    return length;
}

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
                d[2 * lanes + lane] = here ? c0[o] : 0;
                wz[(d - q) / 3 + lane] = here ? zeros[o] : 0;
            }
            d += 3 * lanes;
        }
}

static int check(const char *name, const layer *l)
{
    const int32_t n = l->images * l->oh * l->ow;
    int32_t i, o;
    for (i = 0; i < n; ++i)
        for (o = 0; o < l->o; ++o)
            if (got[i * l->yp + o] != want[i * l->yp + o]) {
                printf("%s: pixel %d channel %d is %d, not %d (%dx%dx%d, %d outputs, %d groups, kernel %dx%d)\n", name, (int)i, (int)o,
                       got[i * l->yp + o], want[i * l->yp + o], (int)l->h, (int)l->w, (int)l->c, (int)l->o, (int)l->groups,
                       (int)l->kh, (int)l->kw);
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
    at = l->o + 1;
    for (o = 0; o < l->o; ++o) {
        begin[o] = between(-3000, 3000);
        m[o] = (1 << 30) + below(1 << 29) - (below(8) == 0 ? 1 << 30 : 0);
        m[o] = below(9) == 0 ? -m[o] : m[o];
        c0[o] = between(-20, 20) * (1 << f->post) + (1 << (f->post - 1)) + f->half_zone;
        exceptions[o] = at;
        if (below(3) == 0 && at < 4000) {
            exceptions[at++] = between(-300, 300);
            exceptions[at++] = between(1, 40) << 8 | below(256);
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

/* Weights as unsigned bytes, for inputs that are 128 higher; what fills up stays 0. */
static void to_unsigned(const layer *l, int32_t length)
{
    const int32_t og = l->o / l->groups, n = l->c / l->groups * l->kh * l->kw;
    int32_t g, b, lane, k;
    for (g = 0; g < l->groups; ++g)
        for (b = 0; b < og; b += 4)
            for (lane = 0; lane < 4 && b + lane < og; ++lane) {
                const int32_t quad = (g * ((og + 3) / 4) + b / 4);
                int8_t *w = packed + quad * 4 * length;
                for (k = 0; k < n; ++k) {
                    int8_t *at = w + k / 4 * 16 + lane * 4 + k % 4;
                    q[quad * 12 + lane] -= 128 * (*at - zeros[g * og + b + lane]);
                    *at = (int8_t)(*at ^ -128);
                }
                wz[quad * 4 + lane] += 128;
            }
}

/* Weights with zero points for pairs of products: the patch's sum stands behind it, each piece twice. */
static int summed(const layer *l, const int32_t *exc)
{
    tarn_int_conv2d_dsp_s8_params d = {l->form, l->c, l->o, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                       {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, 1, 0};
    const int32_t area = l->kh * l->kw, n = area * l->c, rounded = (n + 3) / 4 * 4;
    int32_t o, k, i;
    d.sums = (128 * n + 32766) / 32767;
    d.length = (rounded + 2 * d.sums + 7) / 8 * 8;
    memset(words, 0, sizeof words);
    for (o = 0; o < l->o; ++o) {
        int8_t *w = (int8_t *)words + o / 2 * 2 * d.length + o % 2 * 4;
        const int32_t half = zeros[o] > 3 ? 3 - zeros[o] : -zeros[o];
        for (k = 0; k < n; ++k) w[k / 4 * 8 + k % 4] = weights[o * n + k % l->c * area + k / l->c];
        for (i = 0; i < d.sums; ++i) {
            k = rounded + 2 * i;
            w[k / 4 * 8 + k % 4] = (int8_t)half;
            w[k / 4 * 8 + k % 4 + 1] = (int8_t)(-zeros[o] - half);
        }
    }
    pack_q(l, 2);
    tarn_int_conv2d_dsp_s8(&d, x, words, q, exc, got, wide, l->c % 4 != 0 ? scratch : NULL, line_pointers);
    return check("conv2d_dsp with sums", l);
}

static int conv(const layer *l, int weighted)
{
    tarn_int_conv2d_s8_params p = {l->form, l->groups, l->c / l->groups, l->o / l->groups, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow,
                                   {l->sh, l->sw}, {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, l->groups == 1 && !weighted && below(2) ? 4 : 1};
    const int32_t *exc = l->groups == 1 || l->o / l->groups % 4 == 0 ? exceptions : NULL;
    int32_t o;
    int bad;
    naive(l, exc);
    p.length = pack(l, 4, 4, packed);
    pack_q(l, 4);
    if (weighted) to_unsigned(l, p.length);
    tarn_int_conv2d_s8(&p, x, packed, q, weighted ? wz : NULL, exc, got, scratch, line_pointers);
    bad = check("conv2d", l);
    LINES(tarn_int_conv2d_line_s8(&p, line_pointers, packed, q, weighted ? wz : NULL, exc, y, first, end, scratch));
    bad |= check("conv2d_line", l);
    if (l->groups == 1 && weighted) {
        bad |= summed(l, exc);
        if (l->oh * l->ow * l->images == 1 && l->kh * l->kw == 1 && l->ph + l->pw == 0) {
            tarn_int_dense_s8_params e = {l->form, l->c, l->o};
            const int32_t length = pack(l, 4, 4, packed);
            pack_q(l, 4);
            to_unsigned(l, length);
            pack_q(l, 4); /* inputs stay as they are */
            for (o = 0; o < (l->o + 3) / 4 * 4; ++o) wz[o] += 128;
            tarn_int_dense_s8(&e, x, packed, q, wz, exc, got);
            bad |= check("dense with zero points", l);
        }
    }
    if (l->groups == 1 && !weighted) {
        tarn_int_conv2d_dsp_s8_params d = {l->form, l->c, l->o, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                           {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, 1, 0};
        d.length = pack(l, 2, 8, (int8_t *)words);
        pack_q(l, 2);
        tarn_int_conv2d_dsp_s8(&d, x, words, q, exc, got, wide, l->c % 4 != 0 ? scratch : NULL, line_pointers);
        bad |= check("conv2d_dsp wide", l);
        LINES(tarn_int_conv2d_dsp_line_s8(&d, line_pointers, words, q, exc, y, first, end, wide, l->c % 4 != 0 ? scratch : NULL));
        bad |= check("conv2d_dsp_line wide", l);
        d.wide = 0;
        pack(l, 4, 8, (int8_t *)words);
        pack_q(l, 4);
        tarn_int_conv2d_dsp_s8(&d, x, words, q, exc, got, NULL, scratch, line_pointers);
        bad |= check("conv2d_dsp", l);
        LINES(tarn_int_conv2d_dsp_line_s8(&d, line_pointers, words, q, exc, y, first, end, NULL, scratch));
        bad |= check("conv2d_dsp_line", l);
        if (l->oh * l->ow * l->images == 1 && l->kh * l->kw == 1 && l->ph + l->pw == 0) {
            tarn_int_dense_s8_params e = {l->form, l->c, l->o};
            tarn_int_dense_dsp_s8_params f = {l->form, l->c, l->o};
            pack(l, 4, 4, (int8_t *)words);
            tarn_int_dense_s8(&e, x, (const int8_t *)words, q, NULL, exc, got);
            bad |= check("dense", l);
            if (l->c % 4 == 0) {
                tarn_int_dense_dsp_s8(&f, x, words, q, exc, got);
                bad |= check("dense_dsp", l);
            }
        }
    }
    return bad;
}

static int depthwise(const layer *l, int weighted)
{
    tarn_int_depthwise2d_s8_params p = {l->form, l->c, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw}, {l->dh, l->dw},
                                        {l->ph, l->pw}, l->xp, l->yp, l->zero};
    const int32_t area = l->kh * l->kw, padded = (area + 2) / 3 * 3;
    layer flat = *l;
    int32_t c, t;
    int bad;
    naive(l, exceptions);
    memset(packed, 0, sizeof packed);
    for (c = 0; c < l->c; ++c)
        for (t = 0; t < area; ++t) packed[(c / 4 * area + t) * 4 + c % 4] = weights[c * area + t];
    flat.groups = 1;
    pack_q(&flat, 4);
    tarn_int_depthwise2d_s8(&p, x, packed, q, weighted ? wz : NULL, exceptions, got, taps, scratch);
    bad = check("depthwise2d", l);
    LINES(tarn_int_depthwise_line_s8(&p, line_pointers, packed, q, weighted ? wz : NULL, exceptions, y, first, end, taps, scratch));
    bad |= check("depthwise_line", l);
    if (!weighted && l->c % 4 == 0) {
        tarn_int_depthwise2d_dsp_s8_params d;
        memcpy(&d, &p, sizeof d);
        memset(words, 0, sizeof words);
        for (c = 0; c < l->c; ++c)
            for (t = 0; t < area; ++t) ((int8_t *)words)[(c / 4 * padded + t) * 4 + c % 4] = weights[c * area + t];
        tarn_int_depthwise2d_dsp_s8(&d, x, words, q, exceptions, got, taps, scratch);
        bad |= check("depthwise2d_dsp", l);
        LINES(tarn_int_depthwise_dsp_line_s8(&d, line_pointers, words, q, exceptions, y, first, end, taps, scratch));
        bad |= check("depthwise_dsp_line", l);
    }
    if (l->c % 4 == 0 && l->kh == 3 && l->kw == 3 && l->dh == 1 && l->dw == 1 && l->pw < (l->ow - 1) * l->sw + 3) {
        tarn_int_depthwise3x3_dsp_s8_params s = {l->form, l->c, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw}, {l->ph, l->pw},
                                                 l->xp, l->yp, l->zero, (l->ow - 1) * l->sw + 3, weighted};
        memset(words, 0, sizeof words);
        for (c = 0; c < l->c; ++c)
            for (t = 0; t < 9; ++t) ((int8_t *)words)[c * 12 + t % 3 * 4 + t / 3] = weights[c * 9 + t];
        for (c = 0; c < l->c; ++c)
            for (t = 0; t < 3; ++t) ((int8_t *)words)[c * 12 + t * 4 + 3] = (int8_t)-zeros[c];
        tarn_int_depthwise3x3_dsp_s8(&s, x, words, q, exceptions, got, wide, line_pointers);
        bad |= check("depthwise3x3_dsp", l);
        LINES(tarn_int_depthwise3x3_dsp_line_s8(&s, line_pointers, words, q, exceptions, y, first, end, wide));
        bad |= check("depthwise3x3_dsp_line", l);
    }
    return bad;
}

int main(void)
{
    int bad = 0;
    int32_t round, i;
    for (round = 0; round < 3000 && !bad; ++round) {
        layer l;
        const int deep = below(2) == 0, weighted = below(4) == 0;
        memset(&l, 0, sizeof l);
        l.images = between(1, 2);
        l.h = between(1, 9);
        l.w = between(1, 12);
        l.groups = deep ? 1 : below(4) == 0 ? between(1, 3) : 1;
        l.c = deep ? between(1, 12) : l.groups * between(1, 9);
        l.o = deep ? l.c : l.groups * between(1, 9);
        if (deep) l.groups = l.c;
        l.kh = below(2) ? 3 : between(1, 4);
        l.kw = below(2) ? 3 : between(1, 4);
        if (!deep && below(4) == 0) {
            l.kh = l.kw = l.h = l.w = l.images = 1;
        }
        l.sh = between(1, 2);
        l.sw = between(1, 3);
        l.dh = below(4) == 0 ? 2 : 1;
        l.dw = below(4) == 0 ? 2 : 1;
        l.ph = below(l.kh);
        l.pw = below(l.kw);
        if (l.h + 2 * l.ph < (l.kh - 1) * l.dh + 1 || l.w + 2 * l.pw < (l.kw - 1) * l.dw + 1) continue;
        l.oh = (l.h + 2 * l.ph - (l.kh - 1) * l.dh - 1) / l.sh + 1;
        l.ow = (l.w + 2 * l.pw - (l.kw - 1) * l.dw - 1) / l.sw + 1;
        l.xp = l.c + (below(3) == 0 ? between(1, 5) : 0);
        l.yp = l.o + (below(3) == 0 ? between(1, 5) : 0);
        l.zero = between(-128, 127);
        for (i = 0; i < kMost; ++i) {
            x[i] = (int8_t)between(-128, 127);
            weights[i % 8192] = (int8_t)between(-128, 127);
        }
        for (i = 0; i < 512; ++i) zeros[i] = weighted ? between(-20, 20) : 0;
        make_form(&l);
        bad = deep ? depthwise(&l, weighted) : conv(&l, weighted);
    }
    printf(bad ? "FAILED in round %d\n" : "%d rounds\n", (int)round);
    return bad;
}
