/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_run_s8.h"
#include "tarn_int_clamp_s8.h"

/* Widens n codes, a multiple of 4, or as many times `code` where there are none. */
TARN_NOINLINE static int16_t *int_conv2d_dsp_put_s8(int16_t *d, const int8_t *from, int32_t n, int32_t code)
{
    int16_t *d_at = d;
    int32_t n_left = n;
    if (from != NULL) {
        return tarn_int_dsp_widen(d_at, from, n_left);
    }
    for (; n_left > 0; n_left -= 4) {
        int32_t i;
        for (i = 0; i < 4; ++i) {
            d_at[i] = (int16_t)code;
        }
        d_at += 12;
    }
    return d_at;
}

/* The same for any n, as they are. */
TARN_NOINLINE static int8_t *int_conv2d_dsp_copy_s8(int8_t *d, const int8_t *from, int32_t n, int32_t code)
{
    int8_t *end = d + n;
    if (from != NULL) {
#if TARN_INT_DSP_ASM
        for (; n >= 4; n -= 4) {
            uint32_t word;
            __asm__ volatile("ldr %0,[%1],#4\n\tstr %0,[%2],#4" : "=&r"(word), "+r"(from), "+r"(d) : : "memory");
        }
#endif
        while (d != end) {
            *d++ = *from++;
        }
    }
    while (d != end) {
        *d++ = (int8_t)code;
    }
    return d;
}

/* What stands behind a patch goes to each that can wait, or to `bytes`, where nothing else is put. */
TARN_SMALL static void int_conv2d_dsp_pad_s8(const tarn_int_conv2d_dsp_s8_params *p, int16_t *d, int8_t *bytes)
{
    const int32_t n = p->rows * p->taps * p->inputs;
    int32_t i;
    if (bytes != NULL) {
        int_conv2d_dsp_copy_s8(bytes + n, NULL, p->length - n, 0);
        return;
    }
    for (i = 0; i < 3; ++i) {
        int_conv2d_dsp_put_s8(d + ((ptrdiff_t)3 * n) + ((ptrdiff_t)4 * i), NULL, p->length - n, 0);
    }
}

/* The patch at `column` goes to d: straight from the image where channels come in fours, else by way of `bytes`. */
TARN_NOINLINE static void int_conv2d_dsp_patch_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, int32_t column, int16_t *d,
                                    int8_t *bytes)
{
    const int8_t *const *x_at = x;
    /* Pixels side by side, inside the image or outside, go together. */
    const int32_t beside = (p->x_pitch == p->inputs) && (p->dilation[1] == 1);
    int16_t *wide = d;
    int8_t *to = bytes;
    int32_t row = p->rows;
    do {
        const int8_t *line = *x_at++;
        int32_t pixel = column;
        int32_t left = p->taps;
        do {
            const int8_t *from = ((line != NULL) && (pixel >= 0) && (pixel < p->in_pixels)) ? (line + ((ptrdiff_t)pixel * p->x_pitch)) : NULL;
            int32_t run = (beside != 0) ? left : 1;
            if ((line != NULL) && (pixel < p->in_pixels)) {
                const int32_t same = (pixel < 0) ? -pixel : (p->in_pixels - pixel);
                run = (run < same) ? run : same;
            }
            if (bytes == NULL) {
                wide = int_conv2d_dsp_put_s8(wide, from, run * p->inputs, p->zero);
            } else {
                to = int_conv2d_dsp_copy_s8(to, from, run * p->inputs, p->zero);
            }
            pixel += run * p->dilation[1];
            left -= run;
        } while (left != 0);
    } while (--row != 0);
    if (bytes != NULL) {
        tarn_int_dsp_widen(d, bytes, p->length);
    }
}

#if !TARN_LESS_CODE

#if TARN_INT_DSP_ASM

/* Copies n codes, 4 at least, by words, the last of which may lie partly over the one before: in line, where int_conv2d_dsp_copy_s8() is a
 * call for any n and for what lies outside. */
TARN_FORCE_INLINE int8_t *int_conv2d_dsp_words_s8(int8_t *d, const int8_t *from, int32_t n)
{
    int8_t *to = d;
    const int8_t *from_at = from;
    const int8_t *last = from + n - 4;
    uint32_t word;
    while (from_at < last) {
        __asm__ volatile("ldr %0,[%1],#4\n\tstr %0,[%2],#4" : "=&r"(word), "+r"(from_at), "+r"(to) : : "memory");
    }
    to = d + n;
    __asm__ volatile("ldr %0,[%1]\n\tstr %0,[%2,#-4]" : "=&r"(word) : "r"(last), "r"(to) : "memory");
    return to;
}

#endif

/* A patch whose pixels lie side by side inside the image: n codes of each line from `offset` on. */
TARN_NOINLINE static void int_conv2d_dsp_inside_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, ptrdiff_t offset, int16_t *d,
                                     int8_t *bytes)
{
    const int8_t *const *x_at = x;
    const int8_t *const *x_end = x + p->rows;
    const int32_t n = p->taps * p->inputs;
    int16_t *wide = d;
    int8_t *to = bytes;
    if (bytes == NULL) {
        do {
            wide = tarn_int_dsp_widen(wide, *x_at++ + offset, n);
        } while (x_at != x_end);
    } else {
        do {
#if TARN_INT_DSP_ASM
            if (n >= 4) {
                to = int_conv2d_dsp_words_s8(to, *x_at++ + offset, n);
                continue;
            }
#endif
            to = int_conv2d_dsp_copy_s8(to, *x_at++ + offset, n, 0);
        } while (x_at != x_end);
        tarn_int_dsp_widen(d, bytes, p->length);
    }
}

/* Whether pixels of all lines under the kernel lie side by side. */
static int32_t int_conv2d_dsp_whole_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x)
{
    int32_t whole = (p->x_pitch == p->inputs) && (p->dilation[1] == 1);
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        whole &= x[row] != NULL;
    }
    return whole;
}

#endif

/* What weights with zero points meet: the patch's sum, in pieces of 16 bits, each of them twice. */
TARN_SMALL TARN_NOINLINE static void int_conv2d_dsp_sum_s8(const tarn_int_conv2d_dsp_s8_params *p, int16_t *d)
{
    int16_t *d_at = d;
    int32_t groups = ((p->rows * p->taps * p->inputs) + 3) / 4;
    int32_t sum = 0;
    int32_t i;
    do {
        sum += d_at[0] + d_at[1] + d_at[2] + d_at[3];
        d_at += 12;
    } while (--groups != 0);
    for (i = 0; i < p->sums; ++i) {
        const int32_t most = (sum > 32767) ? 32767 : sum;
        const int32_t piece = (most < -32767) ? -32767 : most;
        /* Elements 0 and 1, or 2 and 3 of four: these stand as 0, 2, 1, 3. */
        d_at[i & 1] = (int16_t)piece;
        d_at[(i & 1) + 2] = (int16_t)piece;
        sum -= piece;
        if ((i & 1) != 0) {
            d_at += 12;
        }
    }
}

TARN_SMALL TARN_API void tarn_int_conv2d_dsp_begin_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           int8_t *bytes)
{
    s->block.x = (const int16_t *)scratch;
    s->block.end = s->block.x + ((ptrdiff_t)3 * p->length);
    s->block.q = q;
    s->block.pre = p->requant.pre;
    s->block.mask = p->requant.mask;
    s->block.post = p->requant.post;
    s->block.p = &p->requant;
    s->block.exceptions = exceptions;
    s->patches = (int16_t *)scratch;
    s->w = (const int8_t *)w;
    s->y = y;
    s->bytes = bytes;
    s->held = 0;
    s->bounded = (p->requant.lo > -128) || (p->requant.hi < 127);
    int_conv2d_dsp_pad_s8(p, s->patches, bytes);
}

TARN_SMALL TARN_API void tarn_int_conv2d_dsp_end_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p)
{
    tarn_int_dsp_block_state *block = &s->block;
    const int32_t even = p->outputs & ~1;
    if (s->held == 0) {
        return;
    }
    block->outputs = even;
    block->y = s->y;
    block->y_end = s->y + even;
    block->second = (s->held > 1) ? p->y_pitch : 0;
    block->third = (s->held > 2) ? (2 * p->y_pitch) : 0;
    if (even != 0) {
        tarn_int_dsp_block(block, s->w);
    }
    if (even != p->outputs) {
        /* The last output has a pair that is nobody's. */
        int8_t pairs[6];
        const int32_t *q = block->q;
        int32_t i;
        block->outputs = even + 2;
        block->q += (ptrdiff_t)3 * even;
        block->y = pairs;
        block->y_end = pairs + 2;
        block->second = (s->held > 1) ? 2 : 0;
        block->third = (s->held > 2) ? 4 : 0;
        tarn_int_dsp_block(block, s->w + TARN_INT_DSP_BYTES(even, p->length));
        block->q = q;
        for (i = 0; i < s->held; ++i) {
            s->y[(i * p->y_pitch) + even] = block->y[(ptrdiff_t)2 * i];
        }
    }
    if (s->bounded != 0) {
        tarn_int_clamp_s8(&p->requant, s->y, s->held, p->outputs, p->y_pitch);
    }
    s->y += (ptrdiff_t)s->held * p->y_pitch;
    s->held = 0;
}

TARN_NOINLINE TARN_API void tarn_int_conv2d_dsp_columns_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p,
                                             const int8_t *const *x, int32_t first, int32_t end)
{
    int32_t first_at = first;
    int32_t column = (first_at * p->stride[1]) - p->pad[1];
#if !TARN_LESS_CODE
    const int32_t whole = (p->direct != 0) ? 0 : int_conv2d_dsp_whole_s8(p, x);
#endif
    for (; first_at < end; ++first_at) {
        int16_t *d = s->patches + ((ptrdiff_t)4 * s->held);
        if (p->direct != 0) {
            tarn_int_dsp_widen(d, x[0] + ((ptrdiff_t)column * p->x_pitch), p->inputs);
#if !TARN_LESS_CODE
        } else if ((whole != 0) && (column >= 0) && ((column + p->taps) <= p->in_pixels)) {
            int_conv2d_dsp_inside_s8(p, x, (ptrdiff_t)column * p->inputs, d, s->bytes);
#endif
        } else {
            int_conv2d_dsp_patch_s8(p, x, column, d, s->bytes);
        }
        if (p->sums != 0) {
            int_conv2d_dsp_sum_s8(p, d);
        }
        if (++s->held == 3) {
            tarn_int_conv2d_dsp_end_s8(s, p);
        }
        column += p->stride[1];
    }
}
