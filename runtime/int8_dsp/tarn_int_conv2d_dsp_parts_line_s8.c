/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_parts_line_s8.h"

/* Where element k of a part goes: four stand as 0, 2, 1, 3, between those of two other pixels. */
#define INT_CONV2D_DSP_PARTS_AT(k) ((ptrdiff_t)(((k) / 4 * 12) + ((k) % 2 * 2) + ((k) % 4 / 2)))

/* Elements [first, end) of a part, less than four that stand together: codes, or `code` where there are none. */
static void int_conv2d_dsp_parts_few_s8(int16_t *wide, int32_t first, int32_t end, const int8_t *from, int32_t code)
{
    int32_t k;
    for (k = first; k < end; ++k) {
        wide[INT_CONV2D_DSP_PARTS_AT(k)] = (int16_t)((from != NULL) ? from[k - first] : code);
    }
}

/* n elements, a multiple of 4: codes, or `code` where there are none. */
static void int_conv2d_dsp_parts_fours_s8(int16_t *wide, const int8_t *from, int32_t n, int32_t code)
{
    int16_t *d = wide;
    const int16_t *end = d + ((ptrdiff_t)3 * n);
#if TARN_INT_DSP_ASM
    const uint32_t two = ((uint32_t)code & 0xFFFFU) * 0x10001U;
#endif
    if (from != NULL) {
        tarn_int_dsp_widen(d, from, n);
        return;
    }
    do {
#if TARN_INT_DSP_ASM
        __asm__ volatile("strd %1,%1,[%0],#24" : "+r"(d) : "r"(two) : "memory");
#else
        d[0] = (int16_t)code;
        d[1] = (int16_t)code;
        d[2] = (int16_t)code;
        d[3] = (int16_t)code;
        d += 12;
#endif
    } while (d != end);
}

/* Elements [first, end) of a part. */
static void int_conv2d_dsp_parts_put_s8(int16_t *wide, int32_t first, int32_t end, const int8_t *from, int32_t code)
{
    const int32_t rounded = (first + 3) / 4 * 4;
    const int32_t fours = (rounded < end) ? rounded : end;
    const int32_t after = (end / 4 * 4 > fours) ? (end / 4 * 4) : fours;
    int_conv2d_dsp_parts_few_s8(wide, first, fours, from, code);
    if (after != fours) {
        int_conv2d_dsp_parts_fours_s8(wide + ((ptrdiff_t)3 * fours), (from != NULL) ? (from + (fours - first)) : NULL, after - fours, code);
    }
    int_conv2d_dsp_parts_few_s8(wide, after, end, (from != NULL) ? (from + (after - first)) : NULL, code);
}

/* The first run of codes of all patches, in whole rows of the kernel where no pixel of them lies outside the image. */
static void int_conv2d_dsp_parts_aim_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p)
{
    int32_t joined = (p->x_pitch == p->inputs) && (p->dilation[1] == 1);
    int32_t pixel;
    for (pixel = 0; pixel < s->held; ++pixel) {
        joined = joined && (s->column[pixel] >= 0) && ((s->column[pixel] + p->taps) <= p->in_pixels);
    }
    s->runs = (joined != 0) ? 1 : p->taps;
    s->run = (joined != 0) ? (p->taps * p->inputs) : p->inputs;
    s->row = 0;
    s->tap = -1;
    s->left = 0;
    s->inside = 0;
}

/* On to the next run; behind the patches there is one of zeros. */
static void int_conv2d_dsp_parts_next_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p)
{
    int32_t pixel;
    ++s->tap;
    if (s->tap == s->runs) {
        s->tap = 0;
        ++s->row;
    }
    s->left = s->run;
    s->inside = s->held == 3;
    for (pixel = 0; pixel < s->held; ++pixel) {
        const int32_t at = s->column[pixel] + (s->tap * p->dilation[1]);
        const int8_t *line = (s->row < p->rows) ? s->x[pixel][s->row] : NULL;
        s->from[pixel] = ((line != NULL) && (at >= 0) && (at < p->in_pixels)) ? (line + ((ptrdiff_t)at * p->x_pitch)) : NULL;
        s->inside = s->inside && (s->from[pixel] != NULL);
    }
}

/* The next n elements of all patches, where they are not all inside one run. */
TARN_NOINLINE static void int_conv2d_dsp_parts_gather_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p, int32_t n)
{
    int32_t k = 0;
    while (k < n) {
        int32_t end;
        int32_t in_fours;
        if (s->left == 0) {
            int_conv2d_dsp_parts_next_s8(s, p);
        }
        end = ((n - k) < s->left) ? n : (k + s->left);
        s->left -= end - k;
        in_fours = ((k | end) & 3) == 0;
        if ((s->inside != 0) && (in_fours != 0)) {
            tarn_int_dsp_widen_three(s->wide + ((ptrdiff_t)3 * k), s->from, end - k);
        } else {
            const int32_t code = (s->row < p->rows) ? p->zero : 0;
            int32_t pixel;
            for (pixel = 0; pixel < s->held; ++pixel) {
                const int8_t *from = s->from[pixel];
                int16_t *wide = s->wide + ((ptrdiff_t)4 * pixel);
                if (in_fours != 0) {
                    int_conv2d_dsp_parts_fours_s8(wide + ((ptrdiff_t)3 * k), from, end - k, code);
                } else {
                    int_conv2d_dsp_parts_put_s8(wide, k, end, from, code);
                }
                s->from[pixel] = (from != NULL) ? (from + (end - k)) : NULL;
            }
        }
        k = end;
    }
}

/* The sums of the outputs [first, end) of all pixels that wait, an even number. */
static void int_conv2d_dsp_parts_sums_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p,
                                         int32_t first, int32_t end)
{
    tarn_int_dsp_part_state part;
    const int8_t *w = (const int8_t *)s->w + ((ptrdiff_t)first * p->length);
    const int32_t *q = s->q + ((ptrdiff_t)3 * first);
    int32_t *sums;
    int32_t k;
    part.x = s->wide;
    part.sums = s->sums;
    part.sums_end = s->sums + ((ptrdiff_t)3 * (end - first));
    part.pixels = s->held;
    for (sums = part.sums; sums != part.sums_end; sums += 6) {
        sums[0] = q[0];
        sums[1] = q[0];
        sums[2] = q[0];
        sums[3] = tarn_int_dsp_part_begin(q);
        sums[4] = tarn_int_dsp_part_begin(q);
        sums[5] = tarn_int_dsp_part_begin(q);
        q += 6;
    }
    int_conv2d_dsp_parts_aim_s8(s, p);
    for (k = 0; k < p->length; k += p->part) {
        const int32_t n = ((p->length - k) < p->part) ? (p->length - k) : p->part;
        if ((s->inside != 0) && (s->left >= n) && ((s->left % 4) == 0)) {
            tarn_int_dsp_widen_three(s->wide, s->from, n);
            s->left -= n;
        } else {
            int_conv2d_dsp_parts_gather_s8(s, p, n);
        }
        part.end = part.x + ((ptrdiff_t)3 * n);
        part.skip = 2 * (p->length - n);
        tarn_int_dsp_part(&part, w + ((ptrdiff_t)2 * k));
    }
}

/* The codes of one waiting pixel's outputs [first, end). */
static void int_conv2d_dsp_parts_codes_s8(const tarn_int_conv2d_dsp_parts_run *s, const tarn_int_dsp_form *form, int32_t pixel,
                                          int32_t first, int32_t end, int8_t *y)
{
    const int32_t *q = s->q + ((ptrdiff_t)3 * first);
    const int32_t *sums = s->sums + pixel;
    int8_t *y_at = y;
    int32_t o;
    for (o = first; o < end; o += 2) {
        *y_at++ = tarn_int_dsp_requant(form, o, sums[0], q[2], q[4]);
        if ((o + 1) < end) {
            *y_at++ = tarn_int_dsp_requant(form, o + 1, tarn_int_dsp_part_second(sums, q), q[3], q[5]);
        }
        sums += 6;
        q += 6;
    }
}

TARN_API void tarn_int_conv2d_dsp_parts_begin_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p,
                                                 const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                 int32_t *scratch)
{
    s->w = w;
    s->q = q;
    s->exceptions = exceptions;
    s->y = y;
    s->sums = scratch;
    s->wide = (int16_t *)(void *)(scratch + ((ptrdiff_t)3 * p->together));
    s->codes = (int8_t *)(void *)(s->wide + ((ptrdiff_t)3 * p->part));
    s->held = 0;
}

TARN_API void tarn_int_conv2d_dsp_parts_end_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p)
{
    const tarn_int_dsp_form form = tarn_int_dsp_form_of(&p->requant, s->exceptions);
    const int32_t early = (p->outputs - 1) / p->together * p->together;
    int32_t first;
    int32_t pixel;
    if (s->held == 0) {
        return;
    }
    /* The pixels may lie on their inputs, which every run of outputs reads again: only the last one writes. */
    for (first = 0; first < p->outputs; first += p->together) {
        const int32_t end = (first == early) ? p->outputs : (first + p->together);
        int_conv2d_dsp_parts_sums_s8(s, p, first, (end + 1) / 2 * 2);
        for (pixel = 0; pixel < s->held; ++pixel) {
            int_conv2d_dsp_parts_codes_s8(s, &form, pixel, first, end, (first == early) ? (s->y + ((ptrdiff_t)pixel * p->y_pitch) + early) : (s->codes + ((ptrdiff_t)pixel * early) + first));
        }
    }
    for (pixel = 0; pixel < s->held; ++pixel) {
        const int8_t *codes = s->codes + ((ptrdiff_t)pixel * early);
        int32_t o;
        for (o = 0; o < early; ++o) {
            s->y[o] = codes[o];
        }
        s->y += p->y_pitch;
    }
    s->held = 0;
}

TARN_API void tarn_int_conv2d_dsp_parts_columns_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p,
                                                   const int8_t *const *x, int32_t first, int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        s->x[s->held] = x;
        s->column[s->held] = (pixel * p->stride[1]) - p->pad[1];
        if (++s->held == 3) {
            tarn_int_conv2d_dsp_parts_end_s8(s, p);
        }
    }
}

TARN_API void tarn_int_conv2d_dsp_parts_line_s8(const tarn_int_conv2d_dsp_parts_s8_params *p, const int8_t *const *x, const int32_t *w,
                                                const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                int32_t end, int32_t *scratch)
{
    tarn_int_conv2d_dsp_parts_run s;
    tarn_int_conv2d_dsp_parts_begin_s8(&s, p, w, q, exceptions, y + ((ptrdiff_t)first * p->y_pitch), scratch);
    tarn_int_conv2d_dsp_parts_columns_s8(&s, p, x, first, end);
    tarn_int_conv2d_dsp_parts_end_s8(&s, p);
}

#undef INT_CONV2D_DSP_PARTS_AT
