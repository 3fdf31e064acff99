/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
TARN_API int @NAME@(const tarn_scan_params *p, const @IN@ *x, const int64_t *axis, @IN@ *y)
{
    const int64_t along = *axis < 0 ? *axis + p->rank : *axis;
    int32_t outer = 1;
    int32_t inner = 1;
    int32_t count;
    int32_t o;
    if (along < 0 || along >= p->rank) {
        return -1;
    }
    for (o = 0; o < p->rank; ++o) {
        outer *= o < along ? p->dims[o] : 1;
        inner *= o > along ? p->dims[o] : 1;
    }
    count = p->dims[along];
    for (o = 0; o < outer; ++o) {
        int32_t j;
        for (j = 0; j < inner; ++j) {
            @COMPUTE@ s = @START@;
            int32_t k;
            for (k = 0; k < count; ++k) {
                const int32_t i = (o * count + (p->reverse != 0 ? count - 1 - k : k)) * inner + j;
                const @COMPUTE@ v = @LOAD@;
                const @COMPUTE@ before = s;
                s = @STEP@;
                @STORE@
            }
        }
    }
    return 0;
}
