/* SPDX-License-Identifier: MIT-0 */
#include "tarn_range_s32.h"

TARN_API int32_t tarn_range_s32(const tarn_range_s32_params *p, const tarn_s32 *start, const tarn_s32 *limit, const tarn_s32 *delta,
                                tarn_s32 *y, int64_t *found)
{
    const tarn_acc_s32 end = *limit;
    const tarn_acc_s32 step = *delta;
    tarn_acc_s32 next = *start;
    int32_t count = 0;
    int32_t status = (step == 0) ? -1 : 0;
    /* Differences of numbers in order fit unsigned ones. */
    while ((status == 0) && ((step > 0) ? (next < end) : (next > end))) {
        const uint64_t left = (step > 0) ? ((uint64_t)end - (uint64_t)next) : ((uint64_t)next - (uint64_t)end);
        const uint64_t stride = (step > 0) ? (uint64_t)step : ((uint64_t)0 - (uint64_t)step);
        if (count == p->capacity) {
            status = -1;
            break;
        }
        y[count] = tarn_store_s32(next);
        ++count;
        if (left <= stride) {
            break;
        }
        next = (tarn_acc_s32)(next + step);
    }
    if (found != NULL) {
        *found = count;
    } else if (count != p->capacity) {
        status = -1;
    } else {
        /* as many as planned */
    }
    return status;
}
