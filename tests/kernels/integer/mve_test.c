/* The kernels with sixteen products at a time against a naive layer: in plain C on the host, in assembly on a Cortex-M55. */
#include "layers.h"
#include "tarn_int_conv2d_mve_s8.h"
#include "tarn_int_dense_mve_s8.h"

static int8_t packed[2 * kMost];

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

int main(void)
{
    int bad = 0;
    int32_t round;
    for (round = 0; round < 1000 && !bad; ++round) {
        layer l;
        const int weighted = below(4) == 0;
        if (!random_layer(&l, 0, weighted, below(3) == 0 ? 40 : 9)) continue;
        bad = conv(&l, weighted);
    }
#ifdef TARN_TEST_TARGET
    semihost_exit((uint32_t)bad);
#else
    printf(bad ? "FAILED in round %d\n" : "%d rounds\n", (int)round);
#endif
    return bad;
}
