/* Fused integer kernels against a naive layer. Every kernel gets the same layer in its own packing. */
#include "layers.h"
#include "like_kernels.h"
#include "tarn_int_conv2d_dsp_long_s8.h"
#include "tarn_int_conv2d_four_s8.h"
#include "tarn_int_conv2d_s8.h"
#include "tarn_int_dense_dsp_halves_s8.h"
#include "tarn_int_dense_dsp_s8.h"
#include "tarn_int_dense_s8.h"
#include "tarn_int_depthwise2d_s8.h"
#include "tarn_int_depthwise3x3_dsp_s8.h"
#include "tarn_int_dsp_dense.h"
#include "tarn_int_dsp_halves.h"

static int8_t packed[kMost];
static int32_t renumbered[4096 + 512];
static int32_t words[kMost / 4], wide[kMost];
static const int8_t *taps[128];

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

static int32_t halves, conv_halves; /* layers whose weights did fit in halves */

/* Two weights to a half of a word, `pairs` of them side by side, k padded to a multiple, to words; 0: they do not fit. */
static int pack_halves(const layer *l, int32_t pairs, int32_t multiple)
{
    static const int32_t of[4] = {0, 2, 1, 3};
    const int32_t cg = l->c / l->groups, og = l->o / l->groups, area = l->kh * l->kw;
    const int32_t length = (area * cg + multiple - 1) / multiple * multiple;
    int8_t *d = (int8_t *)words;
    int32_t g, o, k, i;
    for (g = 0; g < l->groups; ++g)
        for (o = 0; o < og; o += 2 * pairs)
            for (k = 0; k < length; k += 4)
                for (i = 0; i < 4 * pairs; ++i) {
                    const int32_t at = o + i / 4 * 2, e = k + of[i % 4], from = e % cg * area + e / cg;
                    const int32_t a = at < og && e < area * cg ? weights[(g * og + at) * cg * area + from] : 0;
                    const int32_t b = at + 1 < og && e < area * cg ? weights[(g * og + at + 1) * cg * area + from] : 0;
                    const int32_t half = b * 256 + a;
                    if (half < -32768) return 0;
                    *d++ = (int8_t)a;
                    *d++ = (int8_t)((half - a + (a < 0 ? -256 : 0)) / 256);
                }
    return 1;
}

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
                                       {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, 0, 0, 1};
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

/* The exceptions of outputs in pairs, each group by itself. */
static const int32_t *by_group(const layer *l)
{
    const int32_t og = l->o / l->groups, begins = (og + 1) / 2 * 2 + 1, more = l->groups * begins - (l->o + 1);
    int32_t i;
    for (i = 0; i < l->groups * begins; ++i) {
        const int32_t within = i % begins < og ? i % begins : og;
        renumbered[i] = exceptions[i / begins * og + within] + more - i / begins * begins;
    }
    for (i = l->o + 1; i < 4096; ++i) renumbered[i + more] = exceptions[i];
    return renumbered;
}

static int8_t shared[2 * kMost];

/* Where outputs may overwrite inputs: the codes of x stand `lag` behind y, at least as far as padding makes a pixel see ahead. False: a
 * layer whose outputs come faster than inputs go, or that does not fit. */
static int may_share(const layer *l, int32_t lag)
{
    return l->groups == (l->groups > 1 ? l->c : 1) && l->sh == 1 && l->sw == 1 && l->yp <= l->xp && l->oh <= l->h && l->ow <= l->w &&
           l->images * l->h * l->w * l->xp + lag <= kMost;
}

static int32_t lag_of(const layer *l) { return (l->ph * l->w + l->pw) * l->xp + below(20); }

static int check_shared(const char *name, const layer *l)
{
    int32_t i, o;
    for (i = 0; i < l->images * l->oh * l->ow; ++i)
        for (o = 0; o < l->o; ++o)
            if (shared[i * l->yp + o] != want[i * l->yp + o]) {
                fail(name, l, i, o, shared[i * l->yp + o], want[i * l->yp + o]);
                return 1;
            }
    return 0;
}

/* Patches in parts, of few elements and outputs and of all; `words` and `q` are those of tarn_int_conv2d_dsp_s8, or of its like over
 * halves. */
static int in_parts(const layer *l, const int32_t *exc, int32_t length, int halves)
{
    tarn_int_conv2d_dsp_parts_s8_params d = {l->form, l->c, l->o, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                             {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, length, 0, 0};
    const int32_t parts[3] = {8, 24, length}, together[3] = {2, 4, (l->o + 1) / 2 * 2};
    const int8_t *lines[64];
    int bad = 0, i;
    for (i = 0; i < 9; ++i) {
        d.part = parts[i / 3];
        d.together = together[i % 3];
        if (halves) {
            tarn_int_conv2d_dsp_halves_parts_s8(&d, x, words, q, exc, got, wide, lines);
            bad |= check("conv2d_dsp_halves_parts", l);
            LINES(tarn_int_conv2d_dsp_halves_parts_line_s8(&d, line_pointers, words, q, exc, y, first, end, wide));
            bad |= check("conv2d_dsp_halves_parts_line", l);
            continue;
        }
        tarn_int_conv2d_dsp_parts_s8(&d, x, words, q, exc, got, wide, lines);
        bad |= check("conv2d_dsp_parts", l);
        LINES(tarn_int_conv2d_dsp_parts_line_s8(&d, line_pointers, words, q, exc, y, first, end, wide));
        bad |= check("conv2d_dsp_parts_line", l);
    }
    return bad;
}

static int conv(const layer *l, int weighted)
{
    tarn_int_conv2d_s8_params p = {l->form, l->groups, l->c / l->groups, l->o / l->groups, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow,
                                   {l->sh, l->sw}, {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0};
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
    o = lag_of(l);
    if (may_share(l, o)) {
        memcpy(shared + o, x, (size_t)(l->images * l->h * l->w * l->xp));
        tarn_int_conv2d_s8(&p, shared + o, packed, q, weighted ? wz : NULL, exc, shared, scratch, line_pointers);
        bad |= check_shared("conv2d over its input", l);
    }
    if (l->groups == 1 && !weighted) {
        tarn_int_conv2d_four_s8(&p, x, packed, q, exc, got, scratch, line_pointers);
        bad |= check("conv2d_four", l);
        LINES(tarn_int_conv2d_four_line_s8(&p, line_pointers, packed, q, exc, y, first, end, scratch));
        bad |= check("conv2d_four_line", l);
    }
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
    if (l->groups > 1 && !weighted) {
        const int32_t cg = l->c / l->groups;
        tarn_int_conv2d_dsp_s8_params d = {l->form, cg, l->o / l->groups, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                           {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, 0, 0, l->groups};
        const int8_t *lines[32];
        d.length = pack(l, 2, 8, (int8_t *)words);
        pack_q(l, 2);
        naive(l, exceptions);
        tarn_int_conv2d_dsp_groups_s8(&d, x, words, q, by_group(l), got, wide, cg % 4 != 0 ? scratch : NULL, lines);
        bad |= check("conv2d_dsp_groups", l);
        LINES(tarn_int_conv2d_dsp_groups_line_s8(&d, line_pointers, words, q, renumbered, y, first, end, wide, cg % 4 != 0 ? scratch : NULL, lines));
        bad |= check("conv2d_dsp_groups_line", l);
        if (pack_halves(l, 1, 8)) {
            tarn_int_conv2d_dsp_halves_groups_s8(&d, x, words, q, renumbered, got, wide, cg % 4 != 0 ? scratch : NULL, lines);
            bad |= check("conv2d_dsp_halves_groups", l);
            LINES(tarn_int_conv2d_dsp_halves_groups_line_s8(&d, line_pointers, words, q, renumbered, y, first, end, wide, cg % 4 != 0 ? scratch : NULL, lines));
            bad |= check("conv2d_dsp_halves_groups_line", l);
            ++conv_halves;
        }
    }
    if (l->groups == 1 && !weighted) {
        tarn_int_conv2d_dsp_s8_params d = {l->form, l->c, l->o, l->kh, l->kw, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw},
                                           {l->dh, l->dw}, {l->ph, l->pw}, l->xp, l->yp, l->zero, 0, 0, 0, 1};
        d.length = pack(l, 2, 8, (int8_t *)words);
        d.direct = l->kh * l->kw == 1 && l->ph + l->pw == 0 && d.length == l->c;
        pack_q(l, 2);
        tarn_int_conv2d_dsp_s8(&d, x, words, q, exc, got, wide, l->c % 4 != 0 ? scratch : NULL, line_pointers);
        bad |= check("conv2d_dsp wide", l);
        LINES(tarn_int_conv2d_dsp_line_s8(&d, line_pointers, words, q, exc, y, first, end, wide, l->c % 4 != 0 ? scratch : NULL));
        bad |= check("conv2d_dsp_line wide", l);
        bad |= in_parts(l, exc, d.length, 0);
        if (pack_halves(l, 1, 8)) {
            tarn_int_conv2d_dsp_halves_s8(&d, x, words, q, exc, got, wide, l->c % 4 != 0 ? scratch : NULL, line_pointers);
            bad |= check("conv2d_dsp_halves", l);
            LINES(tarn_int_conv2d_dsp_halves_line_s8(&d, line_pointers, words, q, exc, y, first, end, wide, l->c % 4 != 0 ? scratch : NULL));
            bad |= check("conv2d_dsp_halves_line", l);
            bad |= in_parts(l, exc, d.length, 1);
            ++conv_halves;
        }
        p.length = pack(l, 4, 4, (int8_t *)words);
        pack_q(l, 4);
        tarn_int_conv2d_dsp_long_s8(&p, x, words, q, exc, got, scratch, line_pointers);
        bad |= check("conv2d_dsp_long", l);
        LINES(tarn_int_conv2d_dsp_long_line_s8(&p, line_pointers, words, q, exc, y, first, end, scratch));
        bad |= check("conv2d_dsp_long_line", l);
        if (l->oh * l->ow * l->images == 1 && l->kh * l->kw == 1 && l->ph + l->pw == 0) {
            tarn_int_dense_s8_params e = {l->form, l->c, l->o};
            tarn_int_dense_dsp_s8_params f = {l->form, l->c, l->o};
            pack(l, 4, 4, (int8_t *)words);
            tarn_int_dense_s8(&e, x, (const int8_t *)words, q, NULL, exc, got);
            bad |= check("dense", l);
            if (l->c % 4 == 0) {
                tarn_int_dense_dsp_s8(&f, x, words, q, exc, got);
                bad |= check("dense_dsp", l);
                if (pack_halves(l, 2, 4)) {
                    tarn_int_dense_dsp_halves_s8_params h = {l->form, l->c, l->o};
                    tarn_int_dense_dsp_halves_s8(&h, x, words, q, exc, got);
                    bad |= check("dense_dsp_halves", l);
                    ++halves;
                }
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
    t = lag_of(l);
    if (may_share(l, t)) {
        memcpy(shared + t, x, (size_t)(l->images * l->h * l->w * l->xp));
        tarn_int_depthwise2d_s8(&p, shared + t, packed, q, weighted ? wz : NULL, exceptions, shared, taps, scratch);
        bad |= check_shared("depthwise2d over its input", l);
    }
    if (!weighted && l->c < 4) {
        tarn_int_depthwise2d_few_s8_params d;
        int32_t forms[9];
        memcpy(&d, &p, sizeof d);
        memset(packed, 0, sizeof packed);
        for (c = 0; c < l->c; ++c) {
            for (t = 0; t < area; ++t) packed[c * padded + t] = weights[c * area + t];
            for (t = 0; t < 3; ++t) forms[c * 3 + t] = q[t * 4 + c];
        }
        tarn_int_depthwise2d_few_s8(&d, x, packed, forms, exceptions, got, taps, scratch);
        bad |= check("depthwise2d_few", l);
        LINES(tarn_int_depthwise_few_line_s8(&d, line_pointers, packed, forms, exceptions, y, first, end, taps, scratch));
        bad |= check("depthwise_few_line", l);
    }
    if (!weighted && l->c >= 4) {
        const int32_t missing = (4 - l->c % 4) % 4;
        tarn_int_depthwise2d_dsp_s8_params d;
        memcpy(&d, &p, sizeof d);
        memset(words, 0, sizeof words);
        for (c = 0; c < l->c; ++c)
            for (t = 0; t < area; ++t) ((int8_t *)words)[(c / 4 * padded + t) * 4 + c % 4 + (c >= l->c / 4 * 4 ? missing : 0)] = weights[c * area + t];
        for (c = l->c - 1; c >= l->c / 4 * 4 && missing > 0; --c)
            for (t = 0; t < 3; ++t) q[c / 4 * 12 + t * 4 + c % 4 + missing] = q[c / 4 * 12 + t * 4 + c % 4];
        tarn_int_depthwise2d_dsp_s8(&d, x, words, q, exceptions, got, taps, scratch);
        bad |= check("depthwise2d_dsp", l);
        LINES(tarn_int_depthwise_dsp_line_s8(&d, line_pointers, words, q, exceptions, y, first, end, taps, scratch));
        bad |= check("depthwise_dsp_line", l);
    }
    if (l->c >= 4 && l->kh == 3 && l->kw == 3 && l->dh == 1 && l->dw == 1 && l->pw < (l->ow - 1) * l->sw + 3) {
        tarn_int_depthwise3x3_dsp_s8_params s = {l->form, l->c, l->images, l->h, l->w, l->oh, l->ow, {l->sh, l->sw}, {l->ph, l->pw},
                                                 l->xp, l->yp, l->zero, (l->ow - 1) * l->sw + 3, weighted};
        pack_q(&flat, 1);
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

#ifdef TARN_TEST_TARGET
enum { kRounds = 600 };
#else
enum { kRounds = 3000 };
#endif

/* As many inputs as sums of halves bear, whose codes and weights are at their bounds: the sums wrap many times. */
static int long_halves(void)
{
    enum { kLong = 512 };
    static const int8_t codes[4] = {-128, 127, -127, -1};
    layer l = {1, 1, 1, kLong, 4, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, kLong, 4, 0, {0}};
    int32_t round, i;
    for (round = 0; round < 64; ++round) {
        int32_t sums[2][4] = {{-5, 1 << 20, 7, -(1 << 30)}, {-5, 1 << 20, 7, -(1 << 30)}};
        for (i = 0; i < kLong; ++i) {
            int32_t o;
            x[i] = below(8) == 0 ? (int8_t)between(-128, 127) : codes[round & 1];
            for (o = 0; o < 4; ++o) {
                const int8_t most = codes[((round >> (1 + o)) & 1) + 1];
                weights[o * kLong + i] = below(16) == 0 ? (int8_t)between(o & 1 ? -127 : -128, 127) : most;
            }
        }
        if (!pack_halves(&l, 2, 4)) return 1;
        tarn_int_dsp_halves((const int8_t *)words, x, x + kLong, sums[0]);
        pack(&l, 4, 4, (int8_t *)words);
        tarn_int_dsp_dense((const int8_t *)words, x, x + kLong, sums[1]);
        for (i = 0; i < 4; ++i)
            if (sums[0][i] != sums[1][i]) return 1;
    }
    return 0;
}

int main(void)
{
    int bad = 0;
    int32_t round;
#if TARN_INT_AVX2
    if (!__builtin_cpu_supports("avx2")) {
        printf("this machine has no AVX2\n");
        return 77;
    }
#endif
    for (round = 0; round < kRounds && !bad; ++round) {
        layer l;
        const int deep = below(2) == 0, weighted = below(4) == 0;
        if (!random_layer(&l, deep, weighted, round % 8 == 7 ? 24 : 9)) continue;
        bad = deep ? depthwise(&l, weighted) : conv(&l, weighted);
    }
    bad |= long_halves() || halves == 0 || conv_halves < 20;
#ifdef TARN_TEST_TARGET
    semihost_exit((uint32_t)bad);
#else
    printf(bad ? "FAILED in round %d\n" : "%d rounds\n", (int)round);
#endif
    return bad;
}
