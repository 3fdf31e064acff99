/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_sum.h"

#if TARN_INT_DSP_ASM

TARN_NAKED TARN_API int32_t tarn_int_dsp_sum(const int8_t *x TARN_UNUSED, const int8_t *end TARN_UNUSED)
{
    __asm__("push {r4,lr}\n\tmovs r2,#0\n\tmov r12,#0x00010001\n"
            "1:\n\tldr r3,[r0],#4\n\tsxtb16 r4,r3\n\tsxtb16 r3,r3,ror #8\n\t"
            "smlad r2,r4,r12,r2\n\tsmlad r2,r3,r12,r2\n\tcmp r0,r1\n\tbne 1b\n\t"
            "mov r0,r2\n\tpop {r4,pc}");
}

#else

TARN_API int32_t tarn_int_dsp_sum(const int8_t *x, const int8_t *end)
{
    const int8_t *x_at = x;
    int32_t sum = 0;
    do {
        sum += *x_at++;
    } while (x_at != end);
    return sum;
}

#endif
