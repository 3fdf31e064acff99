/* SPDX-License-Identifier: MIT-0 */
#include "tarn_resize_any_f32.h"
#include "tarn_real_f32.h"

static float resize_any_scale_f32(const tarn_resize_any_f32_params *p, int32_t axis, const float *scales, const int64_t *sizes)
{
    float best = 0.0f;
    int32_t i;
    if (scales != NULL) {
        return scales[p->entry[axis]];
    }
    if ((sizes == NULL) || (p->keep_ratio == 0)) {
        return (float)p->out[axis] / (float)p->in[axis];
    }
    for (i = 0; i < p->rank; ++i) {
        if (p->entry[i] >= 0) {
            const float scale = (float)sizes[p->entry[i]] / (float)p->in[i];
            const int32_t better = (p->keep_ratio == 1) ? (scale < best) : (scale > best);
            best = ((best > 0.0f) && (better == 0)) ? best : scale;
        }
    }
    return best;
}

static void resize_any_axes_f32(const tarn_resize_any_f32_params *p, const float *scales, const int64_t *sizes, const float *roi,
                                tarn_resize_axis *axes)
{
    int32_t i;
    for (i = 0; i < p->rank; ++i) {
        const int32_t entry = p->entry[i];
        const int32_t exact = (scales == NULL) && ((sizes == NULL) || (p->keep_ratio == 0));
        axes[i].in = p->in[i];
        axes[i].out = p->out[i];
        axes[i].scale = (entry < 0) ? 1.0f : resize_any_scale_f32(p, i, scales, sizes);
        axes[i].length = (exact != 0) ? (float)p->out[i] : (axes[i].scale * (float)p->in[i]);
        axes[i].roi_start = ((entry < 0) || (roi == NULL)) ? 0.0f : roi[entry];
        axes[i].roi_end = ((entry < 0) || (roi == NULL)) ? 1.0f : roi[p->entries + entry];
    }
}

/* One element: all combinations of the taps of all axes. */
static tarn_f32 resize_any_element_f32(const tarn_resize_any_f32_params *p, const tarn_resize_axis *axes, const tarn_resize_taps *taps,
                                       const tarn_f32 *x)
{
    int32_t tap[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    tarn_real_f32 sum = 0;
    int32_t axis;
    do {
        float weight = 1.0f;
        int32_t index = 0;
        for (axis = 0; axis < p->rank; ++axis) {
            int32_t at = taps[axis].first + tap[axis];
            at = (at < 0) ? 0 : at;
            at = (at >= p->in[axis]) ? (p->in[axis] - 1) : at;
            index = (index * p->in[axis]) + at;
            weight *= tarn_resize_tap(&p->rule, &axes[axis], &taps[axis], tap[axis]);
        }
        if (p->rule.mode == TARN_RESIZE_NEAREST) {
            return x[index];
        }
        if ((weight < 0.0f) || (weight > 0.0f)) {
            sum += (tarn_real_f32)weight * tarn_real_load_f32(x[index]);
        }
        for (axis = p->rank - 1; axis >= 0; --axis) {
            if (++tap[axis] < taps[axis].count) {
                break;
            }
            tap[axis] = 0;
        }
    } while (axis >= 0);
    return tarn_real_store_f32(sum);
}

TARN_API void tarn_resize_any_f32(const tarn_resize_any_f32_params *p, const tarn_f32 *x, const float *scales,
                                  const int64_t *sizes, const float *roi, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    tarn_resize_axis axes[8];
    tarn_resize_taps taps[8] = {{0, 0, 0.0f, 0.0f, 0.0f, 0}}; /* compilers do not see that every axis is set below */
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    resize_any_axes_f32(p, scales, sizes, roi, axes);
    do {
        int32_t outside = 0;
        for (axis = 0; axis < p->rank; ++axis) {
            if (p->entry[axis] < 0) {
                /* An axis that stays has one tap: itself. */
                taps[axis].first = at[axis];
                taps[axis].count = 1;
                taps[axis].at = (float)at[axis];
                taps[axis].shrink = 1.0f;
                taps[axis].total = 1.0f;
            } else {
                taps[axis] = tarn_resize_taps_of(&p->rule, &axes[axis], at[axis]);
                outside |= taps[axis].outside;
            }
        }
        *y_at = (outside != 0) ? tarn_real_store_f32((tarn_real_f32)p->outside) : resize_any_element_f32(p, axes, taps, x);
        ++y_at;
        for (axis = p->rank - 1; axis >= 0; --axis) {
            if (++at[axis] < p->out[axis]) {
                break;
            }
            at[axis] = 0;
        }
    } while (axis >= 0);
}
