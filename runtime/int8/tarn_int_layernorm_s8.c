/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_layernorm_s8.h"

#include "tarn_int_mve_asm.h"

/* What the elements of a vector share: deviation = hi32((count * code - sum) * factor), count and sum shifted. The assembly counts
 * on the order of the members. */
typedef struct {
    uint32_t count, minus_sum;
    int32_t factor, minus_post;
    const int32_t *scale;
    int32_t scale_step;     /* bytes of four elements on Helium, else elements of one */
    const int32_t *bias;
    int32_t bias_step;
} int_layernorm_row_s8;

#if TARN_INT_MVE_ASM

TARN_NAKED static void int_layernorm_sums_s8(const int8_t *x TARN_UNUSED, int32_t count TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r4-r6,lr}\n\tmovs r4,#0\n\tmovs r6,#0\n\twlstp.8 lr,r1,1f\n"
            "2:\n\tvldrb.8 q0,[r0],#16\n\tvaddva.s8 r4,q0\n\tvmladava.s8 r6,q0,q0\n\tletp lr,2b\n"
            "1:\n\tstrd r4,r6,[r2]\n\tpop {r4-r6,pc}");
}

TARN_NAKED static void int_layernorm_elements_s8(const int_layernorm_row_s8 *row TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                                 int8_t *y TARN_UNUSED, int32_t count TARN_UNUSED)
{
    __asm__("push {r3-r11,lr}\n\tldrd r4,r5,[r0]\n\tldrd r6,r7,[r0,#8]\n\tldrd r8,r9,[r0,#16]\n\tldrd r10,r11,[r0,#24]\n\t"
            "vdup.32 q3,r6\n\twlstp.32 lr,r3,1f\n"
            "2:\n\tvldrb.s32 q0,[r1],#4\n\tvmul.i32 q0,q0,r4\n\tvldrw.32 q1,[r8]\n\tvadd.i32 q0,q0,r5\n\tadd r8,r9\n\t"
            "vmulh.s32 q0,q0,q3\n\tvldrw.32 q2,[r10]\n\tvmulh.s32 q0,q0,q1\n\tadd r10,r11\n\tvadd.i32 q0,q0,q2\n\t"
            "vshl.s32 q0,r7\n\tvqmovnb.s32 q0,q0\n\tvqmovnb.s16 q0,q0\n\tvstrb.32 q0,[r2],#4\n\tletp lr,2b\n"
            "1:\n\tpop {r3-r11,pc}");
}

/* One number stands for four of itself. */
static const int32_t *int_layernorm_lanes_s8(const int32_t *of, int32_t step, int32_t *spread)
{
    int32_t i;
    for (i = 0; i < 4; ++i) {
        spread[i] = of[0];
    }
    return (step != 0) ? of : spread;
}

#else

static void int_layernorm_sums_s8(const int8_t *x, int32_t count, int32_t *sums)
{
    int32_t sum = 0;
    int32_t squares = 0;
    int32_t i;
    for (i = 0; i < count; ++i) {
        const int32_t code = x[i];
        sum += code;
        squares += code * code;
    }
    sums[0] = sum;
    sums[1] = squares;
}

static void int_layernorm_elements_s8(const int_layernorm_row_s8 *row, const int8_t *x, int8_t *y, int32_t count)
{
    const uint32_t times = row->count;
    const uint32_t minus_sum = row->minus_sum;
    const int32_t factor = row->factor;
    const int32_t post = -row->minus_post;
    const int32_t scale_step = row->scale_step;
    const int32_t bias_step = row->bias_step;
    const int32_t *scale = row->scale;
    const int32_t *bias = row->bias;
    int32_t i;
    for (i = 0; i < count; ++i) {
        const int32_t d = (int32_t)(((uint32_t)(int32_t)x[i] * times) + minus_sum);
        y[i] = tarn_int_norm_code(d, factor, *scale, *bias, post);
        scale += scale_step;
        bias += bias_step;
    }
}

#endif

TARN_API void tarn_int_layernorm_s8(const tarn_int_layernorm_s8_params *p, const int8_t *x, const int32_t *scale,
                                    const int32_t *bias, int8_t *y)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    int_layernorm_row_s8 row;
    int32_t o;
#if TARN_INT_MVE_ASM
    int32_t spread[8];
    row.scale = int_layernorm_lanes_s8(scale, p->scale_step, spread);
    row.bias = int_layernorm_lanes_s8(bias, p->bias_step, &spread[4]);
    row.scale_step = 16 * p->scale_step;
    row.bias_step = 16 * p->bias_step;
#else
    row.scale = scale;
    row.bias = bias;
    row.scale_step = p->scale_step;
    row.bias_step = p->bias_step;
#endif
    row.minus_post = -p->norm.post;
    for (o = 0; o < p->outer; ++o) {
        int32_t sums[2];
        tarn_int_norm_factor factor;
        int_layernorm_sums_s8(x_at, p->count, sums);
        factor = tarn_int_norm_factor_of(&p->norm, p->count, sums[0], sums[1]);
        row.count = factor.count << factor.shift;
        row.minus_sum = factor.minus_sum;
        row.factor = factor.factor;
        int_layernorm_elements_s8(&row, x_at, y_at, p->count);
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
