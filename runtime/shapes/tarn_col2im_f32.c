/* SPDX-License-Identifier: MIT-0 */
#include "tarn_col2im_f32.h"

/* Sum over the elements of a block that reach the place `at`. x: one image. */
static tarn_acc_f32 col2im_gather_f32(const tarn_col2im_f32_params *p, const tarn_f32 *x, const int64_t *block, const int32_t *steps,
                                      const int32_t *at)
{
    tarn_acc_f32 sum = 0;
    int32_t element;
    for (element = 0; element < p->block_count; ++element) {
        int32_t rest = element;
        int32_t column = 0;
        int32_t stride = 1;
        int32_t axis;
        for (axis = p->dims - 1; (axis >= 0) && (column >= 0); --axis) {
            const int32_t within = rest % (int32_t)block[axis];
            const int32_t moved = at[axis] + p->pad[axis] - (within * p->dilation[axis]);
            const int32_t step = moved / p->stride[axis];
            rest /= (int32_t)block[axis];
            if ((moved < 0) || ((moved % p->stride[axis]) != 0) || (step >= steps[axis])) {
                column = -1;
            } else {
                column += step * stride;
                stride *= steps[axis];
            }
        }
        if (column >= 0) {
            sum += tarn_load_f32(x[(element * p->blocks) + column]);
        }
    }
    return sum;
}

TARN_API int tarn_col2im_f32(const tarn_col2im_f32_params *p, const tarn_f32 *x, const int64_t *block, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t steps[6];
    int32_t image, axis;
    int64_t blocks = 1;
    int64_t elements = 1;
    for (axis = 0; axis < p->dims; ++axis) {
        int64_t room = (int64_t)p->out[axis] + p->pad[axis] + p->pad_end[axis];
        if ((block[axis] < 1) || (block[axis] > p->block_count)) {
            return -1;
        }
        room -= ((int64_t)p->dilation[axis] * (block[axis] - 1)) + 1;
        if (room < 0) {
            return -1;
        }
        steps[axis] = (int32_t)(room / p->stride[axis]) + 1;
        elements *= block[axis];
        blocks *= steps[axis];
        if ((blocks > p->blocks) || (elements > p->block_count)) {
            return -1;
        }
    }
    if ((blocks != p->blocks) || (elements != p->block_count)) {
        return -1;
    }
    for (image = 0; image < p->images; ++image) {
        int32_t at[6] = {0, 0, 0, 0, 0, 0};
        do {
            *y_at = tarn_store_f32(col2im_gather_f32(p, x, block, steps, at));
            ++y_at;
            for (axis = p->dims - 1; axis >= 0; --axis) {
                if (++at[axis] < p->out[axis]) {
                    break;
                }
                at[axis] = 0;
            }
        } while (axis >= 0);
        x += (ptrdiff_t)p->block_count * p->blocks;
    }
    return 0;
}
