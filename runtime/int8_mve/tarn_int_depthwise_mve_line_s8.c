/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise_mve_line_s8.h"
#include "tarn_int_mve_channels.h"

#if TARN_INT_MVE_ASM

/* The assembly counts on the order. */
typedef struct {
    int32_t step, offset;       /* bytes from tap to tap, and from the first pixel of a line to the first tap, which may be before it */
    int32_t taps, rows;         /* of the kernel */
    int32_t column, dilation;   /* pixels: of the first tap, and from tap to tap */
    int32_t in_pixels;
    const int8_t *zeros;
} int_depthwise_mve_under;

/* Four taps of all rows at once; those that are not inside, and all where no line is, stand at the zeros. */
TARN_NAKED static void int_depthwise_mve_rows_s8(const int8_t **taps TARN_UNUSED, const int8_t *const *x TARN_UNUSED,
                                                 const int_depthwise_mve_under *u TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldm r2,{r2-r9}\n\tmov r12,#0\n\tvidup.u32 q1,r12,#1\n\tvmul.i32 q3,q1,r7\n\tvadd.i32 q3,q3,r6\n\t"
            "vmul.i32 q1,q1,r2\n\tvadd.i32 q1,q1,r3\n\tvdup.32 q2,r9\n\tlsl r12,r2,#2\n\tlsls r7,r7,#2\n\tlsl r11,r4,#2\n"
            "1:\n\tvcmp.u32 cs,q3,r8\n\tvmrs r6,p0\n\tmov r10,r0\n\tmov r3,r1\n\tdls lr,r5\n"
            "2:\n\tldr r2,[r3],#4\n\tcbz r2,4f\n\tvmsr p0,r6\n\tvadd.i32 q0,q1,r2\n\tvpsel q0,q2,q0\n"
            "3:\n\tvctp.32 r4\n\tvpst\n\tvstrwt.32 q0,[r10]\n\tadd r10,r11\n\tle lr,2b\n\t"
            "adds r0,#16\n\tvadd.i32 q1,q1,r12\n\tvadd.i32 q3,q3,r7\n\tsubs r4,#4\n\tbgt 1b\n\tpop {r4-r11,pc}\n"
            "4:\n\tvmov q0,q2\n\tb 3b");
}

#endif

/* Where the inputs under the kernel stand: an element outside the image is the zero point. */
static void int_depthwise_mve_aim_s8(const tarn_int_depthwise2d_mve_s8_params *p, const int8_t *const *x, int32_t column,
                                     const int8_t **taps, const int8_t *zeros)
{
    const int8_t *const *x_at = x;
    const int8_t **taps_at = taps;
    const int32_t step = p->dilation[1] * p->x_pitch;
    int32_t row = p->rows;
#if TARN_INT_MVE_ASM
    if (p->times == 1) {
        int_depthwise_mve_under under;
        under.step = step;
        under.offset = column * p->x_pitch;
        under.taps = p->taps;
        under.rows = p->rows;
        under.column = column;
        under.dilation = p->dilation[1];
        under.in_pixels = p->in_pixels;
        under.zeros = zeros;
        int_depthwise_mve_rows_s8(taps, x, &under);
        return;
    }
#endif
    do {
        const int8_t *line = *x_at++;
        int32_t offset = column * p->x_pitch;
        int32_t col = column;
        int32_t tap = p->taps;
        do {
            const int8_t *at = ((line != NULL) && (col >= 0) && (col < p->in_pixels)) ? (line + offset) : zeros;
            *taps_at++ = at;
            if (p->times > 1) {
                *taps_at++ = at;
            }
            offset += step;
            col += p->dilation[1];
        } while (--tap != 0);
    } while (--row != 0);
}

TARN_API void tarn_int_depthwise_mve_line_s8(const tarn_int_depthwise2d_mve_s8_params *p, const int8_t *const *x,
                                             const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                             int32_t first, int32_t end, const int8_t **taps, int8_t *zeros)
{
    int8_t *y_at = y;
    const int32_t n = p->rows * p->taps * p->times;
    const int32_t span = (p->taps - 1) * p->dilation[1];
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t whole = 1;
    int32_t moved = 0;
    int32_t pixel;
    tarn_int_mve_channels_state s;
    s.taps = taps;
    s.pairs = n / 2;
    s.odd = n % 2;
    s.last = (p->channels > 16) ? (p->channels - 16) : 0;
    s.pre = p->requant.pre;
    s.down = 24 - p->requant.post;
    s.closer = TARN_INT_CLOSER(p->requant.mask);
    s.bytes = 16 * n;
    s.channels = p->channels;
    s.p = &p->requant;
    s.exceptions = exceptions;
    tarn_int_mve_fill(zeros, p->zero, p->channels);
    for (pixel = 0; pixel < p->rows; ++pixel) {
        whole &= x[pixel] != NULL;
    }
    y_at += (ptrdiff_t)first * p->y_pitch;
    s.y = y_at;
    for (pixel = first; pixel < end; ++pixel) {
        if ((moved != 0) && ((column + span) < p->in_pixels)) {
            tarn_int_mve_forward(taps, n, p->stride[1] * p->x_pitch);
        } else {
            int_depthwise_mve_aim_s8(p, x, column, taps, zeros);
            moved = (whole != 0) && (column >= 0);
        }
        tarn_int_mve_channels(&s, w, q);
        s.y += p->y_pitch;
        column += p->stride[1];
    }
    tarn_int_mve_clamp(&p->requant, y_at, p->channels, p->y_pitch, end - first);
}
