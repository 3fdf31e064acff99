/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_table_s8.h"
#include "tarn_int_mve_asm.h"

#if TARN_INT_MVE_ASM

/* y[i] = middle[x[i]], sixteen at a time: what a gather adds to its base has no sign. */
TARN_NAKED static void int_table_run_s8(const int8_t *x TARN_UNUSED, const int8_t *middle TARN_UNUSED, int8_t *y TARN_UNUSED,
                                        int32_t count TARN_UNUSED)
{
    __asm__("push {r4,lr}\n\tmovs r4,#128\n\tsubs r1,#128\n\twlstp.8 lr,r3,2f\n"
            "1:\n\tvldrb.8 q0,[r0],#16\n\tvadd.i8 q0,q0,r4\n\tvldrb.u8 q1,[r1,q0]\n\tvstrb.8 q1,[r2],#16\n\tletp lr,1b\n"
            "2:\n\tpop {r4,pc}");
}

#else

/* y[i] = middle[x[i]]. */
static void int_table_run_s8(const int8_t *x, const int8_t *middle, int8_t *y, int32_t count)
{
    const int8_t *from = x;
    int8_t *to = y;
    int32_t left;
    for (left = count; left > 3; left -= 4) {
        to[0] = middle[from[0]];
        to[1] = middle[from[1]];
        to[2] = middle[from[2]];
        to[3] = middle[from[3]];
        from += 4;
        to += 4;
    }
    for (; left > 0; --left) {
        *to = middle[*from];
        ++from;
        ++to;
    }
}

#endif

TARN_API void tarn_int_table_s8(const tarn_int_table_s8_params *p, const int8_t *x, const int8_t *table, int8_t *y)
{
    const int8_t *x_at = x;
    const int8_t *table_at = table;
    int8_t *y_at = y;
    int32_t o;
    table_at += 128;
    for (o = 0; o < p->outer; ++o) {
        int_table_run_s8(x_at, table_at, y_at, p->inner);
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
