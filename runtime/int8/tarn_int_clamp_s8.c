/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_clamp_s8.h"
#include "tarn_int_dsp.h"

TARN_SMALL TARN_API void tarn_int_clamp_s8(const tarn_requant_params *p, int8_t *y, int32_t pixels, int32_t channels, int32_t pitch)
{
    const int32_t lo = p->lo;
    const int32_t hi = p->hi;
    int8_t *y_at = y;
    int32_t pixels_left = pixels;
#if TARN_INT_DSP_ASM
    const uint32_t los = ((uint32_t)lo & 255u) * 0x01010101u;
    const uint32_t his = ((uint32_t)hi & 255u) * 0x01010101u;
#endif
    if ((lo <= -128) && (hi >= 127)) {
        return;
    }
    for (; pixels_left > 0; --pixels_left) {
        int8_t *at = y_at;
        int32_t left = channels;
#if TARN_INT_DSP_ASM
        for (; left >= 4; left -= 4) {
            uint32_t codes;
            uint32_t over;
            __asm__ volatile("ldr %0,[%2]\n\tssub8 %1,%0,%3\n\tsel %0,%0,%3\n\tssub8 %1,%0,%4\n\tsel %0,%4,%0\n\tstr %0,[%2],#4"
                             : "=&r"(codes), "=&r"(over), "+r"(at)
                             : "r"(los), "r"(his)
                             : "cc", "memory");
        }
#endif
        for (; left > 0; --left) {
            const int32_t code = (*at < lo) ? lo : *at;
            *at++ = (int8_t)((code > hi) ? hi : code);
        }
        y_at += pitch;
    }
}
