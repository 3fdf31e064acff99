/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_clamp_s8.h"
#include "tarn_int_dsp.h"

#if TARN_INT_DSP_ASM

/* Four codes between four times lo and four times hi. */
TARN_FORCE_INLINE uint32_t int_clamp_four_s8(uint32_t codes, uint32_t lo, uint32_t hi)
{
    uint32_t over;
    __asm__("ssub8 %1,%0,%2\n\tsel %0,%0,%2\n\tssub8 %1,%0,%3\n\tsel %0,%3,%0" : "+r"(codes), "=&r"(over) : "r"(lo), "r"(hi) : "cc");
    return codes;
}

#endif

TARN_SMALL TARN_API void tarn_int_clamp_s8(const tarn_requant_params *p, int8_t *y, int32_t pixels, int32_t channels, int32_t pitch)
{
    const int32_t lo = p->lo;
    const int32_t hi = p->hi;
    int8_t *y_at = y;
    int32_t pixels_left = pixels;
    if ((lo <= -128) && (hi >= 127)) {
        return;
    }
    for (; pixels_left > 0; --pixels_left) {
        int8_t *at = y_at;
        int32_t left = channels;
#if TARN_INT_DSP_ASM
        const uint32_t los = ((uint32_t)lo & 255u) * 0x01010101u;
        const uint32_t his = ((uint32_t)hi & 255u) * 0x01010101u;
        for (; left >= 4; left -= 4) {
            uint32_t codes;
            __asm__ volatile("ldr %0,[%1]" : "=r"(codes) : "r"(at) : "memory");
            codes = int_clamp_four_s8(codes, los, his);
            __asm__ volatile("str %1,[%0],#4" : "+r"(at) : "r"(codes) : "memory");
        }
        for (; left != 0; --left) {
            *at = (int8_t)int_clamp_four_s8((uint8_t)*at, los, his);
            ++at;
        }
#else
        for (; left > 0; --left) {
            const int32_t code = (*at < lo) ? lo : *at;
            *at++ = (int8_t)((code > hi) ? hi : code);
        }
#endif
        y_at += pitch;
    }
}
