/* The kernels with sixteen products at a time against a naive layer: in plain C on the host, in assembly on a Cortex-M55. */
#include "layers.h"
#include "tarn_int_conv1x1_mve_lines_s8.h"
#include "tarn_int_conv2d_mve_s8.h"
#include "tarn_int_dense_mve_s8.h"
#include "tarn_int_depthwise2d_mve_s8.h"
#include "tarn_int_depthwise3x3_mve_s8.h"

static int8_t packed[2 * kMost];
static const int8_t *taps[128];
static int32_t columns[512];

/* By group and four outputs: four rows of sixteen weights, or two runs of two rows. */
static void pack(const layer *l, int pairs)
{
    const int32_t cg = l->c / l->groups, og = l->o / l->groups, area = l->kh * l->kw;
    const int32_t padded = (area * cg + 15) / 16 * 16;
    int8_t *quad = packed;
    int32_t g, o, k;
    memset(packed, 0, sizeof packed);
    for (g = 0; g < l->groups; ++g) {
        for (o = 0; o < og; ++o) {
            const int32_t lane = o % 4;
            const int32_t first = pairs ? lane % 2 * 2 * padded + lane / 2 * 16 : lane * 16;
            for (k = 0; k < area * cg; ++k) {
                quad[o / 4 * 4 * padded + first + k / 16 * (pairs ? 32 : 64) + k % 16] =
                    weights[((g * og + o) * cg + k % cg) * area + k / cg];
            }
        }
        quad += (og + 3) / 4 * 4 * padded;
    }
}

static int conv(const layer *l, int weighted)
{
    tarn_int_conv2d_mve_s8_params p = {l->form, l->groups, l->c / l->groups, l->o / l->groups, l->kh, l->kw, l->images, l->h, l->w, l->oh,
                                       l->ow, {l->sh, l->sw}, {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 3};
    const int32_t *exc = l->groups == 1 || l->o / l->groups % 4 == 0 ? exceptions : NULL;
    const int32_t *w_zero = weighted ? wz : NULL;
    int32_t i;
    int bad = 0;
    naive(l, exc);
    pack_q(l, 4);
    for (i = 0; i < 512; ++i) wz[i] = -wz[i];
    for (i = 0; i < 4096; i += 12) {
        const int32_t second = q[i + 1];
        q[i + 1] = q[i + 2];
        q[i + 2] = second;
    }
    for (; p.block > 0; p.block -= 2) {
        pack(l, p.block == 3);
        tarn_int_conv2d_mve_s8(&p, x, packed, q, w_zero, exc, got, scratch, line_pointers);
        bad |= check(p.block == 3 ? "conv2d_mve, three patches" : "conv2d_mve, one patch", l);
        LINES(tarn_int_conv2d_mve_line_s8(&p, line_pointers, packed, q, w_zero, exc, y, first, end, scratch));
        bad |= check(p.block == 3 ? "conv2d_mve_line, three patches" : "conv2d_mve_line, one patch", l);
    }
    if (l->oh * l->ow * l->images == 1 && l->kh * l->kw == 1 && l->ph + l->pw == 0 && l->groups == 1) {
        tarn_int_dense_mve_s8_params d = {l->form, l->c, l->o};
        tarn_int_dense_mve_s8(&d, x, packed, q, w_zero, exc, got);
        bad |= check("dense_mve", l);
    }
    return bad;
}

/* A random layer becomes one of single pixels, and of whole fours of outputs. */
static void take_pixels(layer *l)
{
    l->groups = l->kh = l->kw = l->dh = l->dw = 1;
    l->ph = l->pw = 0;
    l->c = l->xp = l->c < 40 ? l->c : 40;
    l->o = (l->o < 36 ? l->o + 3 : 36) / 4 * 4;
    l->xp += below(3) == 0 ? between(1, 5) : 0;
    l->yp = l->o + (below(3) == 0 ? between(1, 5) : 0);
    l->oh = (l->h - 1) / l->sh + 1;
    l->ow = (l->w - 1) / l->sw + 1;
    memset(got, 0x55, sizeof got);
    make_form(l);
}

/* Every line of outputs over its own inputs, as far down as no pixel that is still to be read is written. */
static void over_inputs(const layer *l, const tarn_int_conv2d_mve_s8_params *p)
{
    static int8_t both[8192];
    int32_t n, pixel, above = 0;
    for (pixel = 0; pixel + 1 < l->ow; ++pixel) {
        const int32_t needed = pixel * l->yp + l->o - (pixel + 1) * l->sw * l->xp;
        above = needed > above ? needed : above;
    }
    for (n = 0; n < l->images * l->oh; ++n) {
        const int8_t *from = both + above;
        aim(l, n / l->oh, n % l->oh);
        memcpy(both + above, line_pointers[0], (size_t)(l->w * l->xp));
        tarn_int_conv1x1_mve_line_s8(p, &from, packed, q, exceptions, both, 0, l->ow, 0, scratch);
        for (pixel = 0; pixel < l->ow; ++pixel) memcpy(got + (n * l->ow + pixel) * l->yp, both + pixel * l->yp, (size_t)l->o);
    }
}

static int pixels(const layer *l)
{
    const tarn_int_conv2d_mve_s8_params p = {l->form, 1, l->c, l->o, 1, 1, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                             {1, 1}, {0, 0}, l->xp, l->yp, l->zero, 3};
    const int8_t *from[16];
    int8_t *to[16];
    int32_t i, image;
    int bad = 0;
    naive(l, exceptions);
    pack_q(l, 4);
    for (i = 0; i < 4096; i += 12) {
        const int32_t second = q[i + 1];
        q[i + 1] = q[i + 2];
        q[i + 2] = second;
    }
    pack(l, 1);
    LINES(tarn_int_conv1x1_mve_line_s8(&p, line_pointers, packed, q, exceptions, y, first, end, 1, scratch));
    bad |= check("conv1x1_mve_line", l);
    LINES(tarn_int_conv1x1_mve_line_s8(&p, line_pointers, packed, q, exceptions, y, first, end, 0, scratch));
    bad |= check("conv1x1_mve_line, copied", l);
    over_inputs(l, &p);
    bad |= check("conv1x1_mve_line, over its inputs", l);
    for (image = 0; image < l->images; ++image) {
        const int32_t up = below(2); /* the last line first */
        for (i = 0; i < l->oh; ++i) {
            const int32_t line = up ? l->oh - 1 - i : i;
            from[i] = x + (image * l->h + line * l->sh) * l->w * l->xp;
            to[i] = got + (image * l->oh + line) * l->ow * l->yp;
        }
        tarn_int_conv1x1_mve_lines_s8(&p, from, packed, q, exceptions, to, l->oh);
    }
    return bad | check("conv1x1_mve_lines", l);
}

/* Sixteen channels at a time, each tap with one weight or two that add up to it. */
static void pack_channels(const layer *l, int32_t times)
{
    const int32_t area = l->kh * l->kw, last = l->c > 16 ? l->c - 16 : 0;
    int8_t *to = packed;
    int32_t *constants = q;
    int32_t first = 0, t, place, k;
    memset(packed, 0, sizeof packed);
    for (;;) {
        for (t = 0; t < area * times; ++t) {
            for (k = 0; k < 16 && first + k < l->c; ++k) {
                const int32_t weight = weights[(first + k) * area + t / times] - zeros[first + k];
                const int32_t half = weight < -127 ? -127 : weight > 127 ? 127 : weight;
                to[16 * t + k] = (int8_t)(times == 1 ? weight : t % 2 == 0 ? half : weight - half);
            }
        }
        for (place = 0; place < 16; ++place) {
            const int32_t c = first + place % 4 * 4 + place / 8 + place / 4 % 2 * 2;
            constants[place] = c < l->c ? begin[c] : 0;
            constants[16 + place] = c < l->c ? m[c] : 0;
            constants[32 + place] = c < l->c ? c0[c] : 0;
        }
        if (first >= last) return;
        to += 16 * area * times;
        constants += 48;
        first = first + 16 < last ? first + 16 : last;
    }
}

static int depthwise(const layer *l, int weighted)
{
    tarn_int_depthwise2d_mve_s8_params p = {l->form, l->c, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                            {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, weighted ? 2 : 1};
    int32_t i;
    int bad;
    for (i = 0; i < l->c * l->kh * l->kw; ++i) {
        if (weights[i] == -128) weights[i] = -127;
    }
    naive(l, exceptions);
    pack_channels(l, p.times);
    tarn_int_depthwise2d_mve_s8(&p, x, packed, q, exceptions, got, taps, scratch);
    bad = check("depthwise2d_mve", l);
    LINES(tarn_int_depthwise_mve_line_s8(&p, line_pointers, packed, q, exceptions, y, first, end, taps, scratch));
    bad |= check("depthwise_mve_line", l);
    if (!weighted && l->kh == 3 && l->kw == 3 && l->dh == 1 && l->dw == 1 && l->sw < 3) {
        const tarn_int_depthwise3x3_mve_s8_params s = {l->form, l->c, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                                       {l->ph, l->pw}, l->xp, l->yp, l->zero, between(1, 3) * 4};
        memset(packed, 0, (size_t)(16 * l->c + 4));
        for (i = 0; i < 9 * l->c; ++i) packed[i / 9 * 16 + 4 + i % 3 * 4 + i % 9 / 3] = weights[i];
        for (i = 0; i < l->c; ++i) {
            q[3 * i] = begin[i];
            q[3 * i + 1] = m[i];
            q[3 * i + 2] = c0[i];
        }
        tarn_int_depthwise3x3_mve_s8(&s, x, packed, q, exceptions, got, columns, line_pointers);
        bad |= check("depthwise3x3_mve", l);
        LINES(tarn_int_depthwise3x3_mve_line_s8(&s, line_pointers, packed, q, exceptions, y, first, end, columns));
        bad |= check("depthwise3x3_mve_line", l);
    }
    return bad;
}

int main(void)
{
    int bad = 0;
    int32_t round;
    for (round = 0; round < 2000 && !bad; ++round) {
        layer l;
        const int deep = below(2) == 0, weighted = below(4) == 0;
        if (!random_layer(&l, deep, weighted, below(3) == 0 ? 40 : 9)) continue;
        bad = deep ? depthwise(&l, weighted) : conv(&l, weighted);
        if (!bad && !deep && !weighted) {
            take_pixels(&l);
            bad = pixels(&l);
        }
    }
#ifdef TARN_TEST_TARGET
    semihost_exit((uint32_t)bad);
#else
    printf(bad ? "FAILED in round %d\n" : "%d rounds\n", (int)round);
#endif
    return bad;
}
