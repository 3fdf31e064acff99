/* SPDX-License-Identifier: MIT-0 */
#include "tarn_range_f32.h"

TARN_API int32_t tarn_range_f32(const tarn_range_f32_params *p, const tarn_f32 *start, const tarn_f32 *limit, const tarn_f32 *delta,
                                tarn_f32 *y, int64_t *found)
{
    const tarn_acc_f32 first = tarn_load_f32(*start);
    const tarn_acc_f32 end = tarn_load_f32(*limit);
    const tarn_acc_f32 step = tarn_load_f32(*delta);
    const tarn_acc_f32 zero = 0;
    int32_t count = 0;
    int32_t status = 0;
    if ((step > zero) || (step < zero)) {
        /* The length is that of real numbers: a sum per element would gather errors. */
        const tarn_acc_f32 length = (end - first) / step;
        if (length > zero) {
            count = (length > (tarn_acc_f32)p->capacity) ? p->capacity : (int32_t)length;
            status = (length > (tarn_acc_f32)p->capacity) ? -1 : 0;
            count += (status == 0) && ((tarn_acc_f32)count < length);
        }
    } else {
        status = -1;
    }
    if ((found == NULL) && (count != p->capacity)) {
        status = -1;
    }
    if (status == 0) {
        int32_t i;
        for (i = 0; i < count; ++i) {
            y[i] = tarn_store_f32(first + ((tarn_acc_f32)i * step));
        }
    }
    if (found != NULL) {
        *found = count;
    }
    return status;
}
