/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
@RUN_ONE@
@RUN_EIGHT@
TARN_API void @NAME@(const tarn_reduce_params *p, const @IN@ *x, @IN@ *y)
{
    int32_t a;
    int32_t b;
    int32_t c;
    int32_t d;
    for (a = 0; a < p->kept[0]; ++a) {
        for (b = 0; b < p->kept[1]; ++b) {
            for (c = 0; c < p->kept[2]; ++c) {
                const @IN@ *from = x + (a * p->kept_step[0] + b * p->kept_step[1] + c * p->kept_step[2]);
                for (d = 0; d < p->kept[3]; ++d) {
                    /* Counted so that compilers see how many are left. */
                    const int32_t eights = p->columns - p->columns % 8;
                    int32_t j;
                    for (j = 0; j < eights; j += 8) {
                        @NAME@_8(p, from + j, y + j);
                    }
                    for (j = eights; j < p->columns; ++j) {
                        @NAME@_1(p, from + j, y + j);
                    }
                    from += p->kept_step[3];
                    y += p->columns;
                }
            }
        }
    }
}
