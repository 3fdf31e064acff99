/* SPDX-License-Identifier: MIT-0 */
#include "tarn_mvn_f32.h"
#include "tarn_fn_sqrt_f32.h"

/* The next position along `axes` axes; 0 after the last. */
static int32_t mvn_next_f32(int32_t axes, const int32_t *size, const int32_t *stride, int32_t *at, int32_t *offset)
{
    int32_t axis;
    for (axis = axes - 1; axis >= 0; --axis) {
        *offset += stride[axis];
        if (++at[axis] < size[axis]) {
            return 1;
        }
        *offset -= size[axis] * stride[axis];
        at[axis] = 0;
    }
    return 0;
}

/* One set of elements that is normalised together. */
static void mvn_set_f32(const tarn_mvn_f32_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    tarn_acc_f32 mean = 0;
    tarn_acc_f32 deviation = 1;
    int32_t pass;
    for (pass = 0; pass < 3; ++pass) {
        int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        tarn_acc_f32 sum = 0;
        tarn_acc_f32 count = 0;
        int32_t offset = 0;
        do {
            const tarn_acc_f32 d = tarn_load_f32(x[offset]) - mean;
            sum += (pass == 0) ? d : (d * d);
            count += 1;
            if (pass == 2) {
                y[offset] = tarn_store_f32(d / deviation);
            }
        } while (mvn_next_f32(p->reduced, p->reduced_size, p->reduced_stride, at, &offset) != 0);
        if (pass == 0) {
            mean = sum / count;
        } else {
            deviation = tarn_fn_sqrt_f32(sum / count) + p->epsilon;
        }
    }
}

TARN_API void tarn_mvn_f32(const tarn_mvn_f32_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t offset = 0;
    do {
        mvn_set_f32(p, x + offset, y + offset);
    } while (mvn_next_f32(p->kept, p->kept_size, p->kept_stride, at, &offset) != 0);
}
