/* SPDX-License-Identifier: MIT-0 */
#include "tarn_roialign_f32.h"

/* One axis: where samples lie. */
typedef struct {
    tarn_acc_f32 first, step; /* of the first sample of the first output pixel; from one sample to the next */
    int32_t samples;          /* per output pixel */
} roialign_axis_f32;

static roialign_axis_f32 roialign_axis_of_f32(const tarn_roialign_f32_params *p, tarn_acc_f32 first, tarn_acc_f32 end, int32_t out)
{
    const tarn_acc_f32 offset = (p->half_pixel != 0) ? (tarn_acc_f32)0.5 : 0;
    const tarn_acc_f32 start = (first * p->scale) - offset;
    tarn_acc_f32 size = (end * p->scale) - offset - start;
    tarn_acc_f32 bin;
    roialign_axis_f32 axis;
    if ((p->half_pixel == 0) && !(size > 1)) {
        size = 1;
    }
    bin = size / (tarn_acc_f32)out;
    axis.samples = p->samples;
    /* No axis is sampled more often than 4096 times, whatever the regions hold. */
    if ((axis.samples == 0) && (bin > 0)) {
        axis.samples = (bin < (tarn_acc_f32)4096) ? (int32_t)bin : 4096;
        axis.samples += ((tarn_acc_f32)axis.samples < bin) && (axis.samples < 4096);
    }
    axis.step = (axis.samples > 0) ? (bin / (tarn_acc_f32)axis.samples) : 0;
    axis.first = start + (axis.step / 2);
    return axis;
}

/* Where a coordinate lies between two positions; 0: outside. */
static int32_t roialign_between_f32(tarn_acc_f32 v, int32_t size, int32_t *low, int32_t *high, tarn_acc_f32 *rest)
{
    tarn_acc_f32 v_now = v;
    if (!((v_now >= -1) && (v_now <= (tarn_acc_f32)size))) {
        return 0;
    }
    v_now = (v_now > 0) ? v_now : 0;
    *low = (int32_t)v_now;
    if (*low >= (size - 1)) {
        *low = size - 1;
        *high = *low;
        *rest = 0;
    } else {
        *high = *low + 1;
        *rest = v_now - (tarn_acc_f32)*low;
    }
    return 1;
}

/* Up to 4 channels of one output pixel. */
static void roialign_quad_f32(const tarn_roialign_f32_params *p, const tarn_f32 *x, const roialign_axis_f32 *down,
                              const roialign_axis_f32 *across, int32_t line, int32_t pixel, int32_t count, tarn_f32 *y)
{
    const int32_t samples = down->samples * across->samples;
    tarn_acc_f32 sum[4] = {0, 0, 0, 0};
    int32_t i;
    int32_t c;
    for (i = 0; i < samples; ++i) {
        const tarn_acc_f32 v = down->first + ((tarn_acc_f32)((line * down->samples) + (i / across->samples)) * down->step);
        const tarn_acc_f32 h = across->first + ((tarn_acc_f32)((pixel * across->samples) + (i % across->samples)) * across->step);
        int32_t top = 0, bottom = 0, left = 0, right = 0;
        tarn_acc_f32 a = 0, b = 0;
        tarn_acc_f32 parts[4] = {0, 0, 0, 0};
        const int32_t inside =
            (roialign_between_f32(v, p->lines, &top, &bottom, &a) != 0) && (roialign_between_f32(h, p->pixels, &left, &right, &b) != 0);
        for (c = 0; c < count; ++c) {
            if (inside != 0) {
                parts[0] = (1 - a) * (1 - b) * tarn_load_f32(x[(((top * p->pixels) + left) * p->channels) + c]);
                parts[1] = (1 - a) * b * tarn_load_f32(x[(((top * p->pixels) + right) * p->channels) + c]);
                parts[2] = a * (1 - b) * tarn_load_f32(x[(((bottom * p->pixels) + left) * p->channels) + c]);
                parts[3] = a * b * tarn_load_f32(x[(((bottom * p->pixels) + right) * p->channels) + c]);
            }
            if (p->largest == 0) {
                sum[c] += parts[0] + parts[1] + parts[2] + parts[3];
            } else {
                /* The standard takes the largest weighted neighbour, not the largest interpolated sample. */
                int32_t k;
                for (k = 0; k < 4; ++k) {
                    sum[c] = (((i == 0) && (k == 0)) || (parts[k] > sum[c])) ? parts[k] : sum[c];
                }
            }
        }
    }
    for (c = 0; c < count; ++c) {
        y[c] = tarn_store_f32(((p->largest != 0) || (samples == 0)) ? sum[c] : (sum[c] / (tarn_acc_f32)samples));
    }
}

TARN_API int tarn_roialign_f32(const tarn_roialign_f32_params *p, const tarn_f32 *x, const tarn_f32 *regions, const int64_t *of,
                               tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t region;
    for (region = 0; region < p->regions; ++region) {
        const tarn_f32 *r = regions + ((ptrdiff_t)4 * region);
        const roialign_axis_f32 across = roialign_axis_of_f32(p, tarn_load_f32(r[0]), tarn_load_f32(r[2]), p->out_pixels);
        const roialign_axis_f32 down = roialign_axis_of_f32(p, tarn_load_f32(r[1]), tarn_load_f32(r[3]), p->out_lines);
        const tarn_f32 *from;
        int32_t at;
        if ((of[region] < 0) || (of[region] >= p->images)) {
            return -1;
        }
        from = x + ((ptrdiff_t)(int32_t)of[region] * p->lines * p->pixels * p->channels);
        for (at = 0; at < (p->out_lines * p->out_pixels); ++at) {
            int32_t c;
            for (c = 0; c < p->channels; c += 4) {
                roialign_quad_f32(p, from + c, &down, &across, at / p->out_pixels, at % p->out_pixels,
                                  ((p->channels - c) < 4) ? (p->channels - c) : 4, y_at + c);
            }
            y_at += p->channels;
        }
    }
    return 0;
}
